using System.Buffers;
using System.Reflection;
using PixelPool.Diagnostics;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>The names that users and acceptance checks compile against are there, with their shapes. More may be added; none may be renamed.</summary>
public class ApiShapeTests
{
    private const BindingFlags Everything = BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<Type, string[]> s_methods = new()
    {
        [typeof(PixelAllocator)] =
        [
            "static PixelAllocator Create(PixelAllocatorOptions options = null)",
            "PixelBuffer<TPixel> Rent<TPixel>(Int32 width, Int32 height, AllocationOptions options = None)",
            "PixelLease<TPixel> Lease<TPixel>(Int32 width, Int32 height, AllocationOptions options = None)",
            "Boolean TryRent<TPixel>(Int32 width, Int32 height, ref PixelBuffer<TPixel> buffer, AllocationOptions options = None)",
            "ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(Int32 width, Int32 height, AllocationOptions options = None, "
                + "CancellationToken cancellationToken = null)",
            "IMemoryOwner<T> Allocate<T>(Int32 length, AllocationOptions options = None)",
            "Int64 GetHeldBytes<TPixel>(Int32 width, Int32 height, AllocationOptions options = None)",
            "Boolean TryLease<TPixel>(Int32 width, Int32 height, ref PixelLease<TPixel> lease, AllocationOptions options = None)",
            "ValueTask<PixelLease<TPixel>> LeaseAsync<TPixel>(Int32 width, Int32 height, AllocationOptions options = None, "
                + "CancellationToken cancellationToken = null)",
            "Boolean TryAllocate<T>(Int32 length, ref IMemoryOwner<T> owner, AllocationOptions options = None)",
            "ValueTask<IMemoryOwner<T>> AllocateAsync<T>(Int32 length, AllocationOptions options = None, CancellationToken cancellationToken = null)",
            "RentScope CreateScope(Int64 maxBytes)",
            "RentScope ReserveScope(Int64 bytes)",
            "ValueTask<RentScope> ReserveScopeAsync(Int64 bytes, CancellationToken cancellationToken = null)",
            "MemoryPool<Byte> AsMemoryPool()",
            "Int64 Trim()",
            "Int64 TrimTo(Int64 idleBytes)",
            "ExternalCharge ChargeExternal(Int64 bytes)",
            "PixelPoolStatistics GetStatistics()",
            "IReadOnlyList<RentRecord> GetOutstandingRents()",
            "LeakTracker TrackLeaks()",
            "Void add_Leaked(EventHandler<LeakedEventArgs> value)",
            "Void remove_Leaked(EventHandler<LeakedEventArgs> value)",
            "Void Dispose()",
        ],
        [typeof(PixelAllocatorOptions)] =
        [
            "static PixelAllocatorOptions ForContainer()",
            "static PixelAllocatorOptions ForContainer(MemoryPressureSource memoryPressure)",
            "IReadOnlyList<String> Validate()",
        ],
        [typeof(PixelBuffer<>)] =
        [
            "Void ProcessPixelRows(PixelAccessorAction<TPixel> process)",
            "Void ProcessPixelRows<TState>(TState state, PixelAccessorStateAction<TPixel, TState> process)",
            "Void ProcessPixelRows<TPixel2>(PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process)",
            "Void ProcessPixelRows<TPixel2, TPixel3>(PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, "
                + "PixelAccessorAction<TPixel, TPixel2, TPixel3> process)",
            "Void ProcessPixelRowsInParallel(PixelAccessorAction<TPixel> process, Int32 maxDegreeOfParallelism = -1)",
            "PixelBuffer<TTo> Cast<TTo>()",
            "Stream AsStream()",
            "Void FilterPixelRows<TSource>(PixelBuffer<TSource> source, PixelFilterAction<TPixel, TSource> filter)",
            "Void FilterPixelRows<TSource, TState>(PixelBuffer<TSource> source, TState state, PixelFilterStateAction<TPixel, TSource, TState> filter)",
            "Boolean TryProcessSinglePixelSpan(SpanAction<TPixel> process)",
            "PixelBuffer<TPixel> View(Int32 x, Int32 y, Int32 width, Int32 height)",
            "PinnedPixels Pin()",
            "ReadOnlySequence<Byte> AsReadOnlySequence()",
            "Void Clear()",
            "Void Fill(TPixel value)",
            "Void CopyTo(Span<TPixel> destination, Int32 stride)",
            "Void CopyFrom(ReadOnlySpan<TPixel> source, Int32 stride)",
            "Void CopyTo(PixelBuffer<TPixel> destination)",
            "Void CopyFrom(PixelBuffer<TPixel> source)",
            "PixelBuffer<TPixel> Clone()",
            "ValueTask ReadFromAsync(Stream source, CancellationToken cancellationToken = null)",
            "ValueTask WriteToAsync(Stream destination, CancellationToken cancellationToken = null)",
            "Void ProcessPixelRowsInParallel<TPixel2>(PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process, Int32 maxDegreeOfParallelism = -1)",
            "Void ReadFrom(Stream source)",
            "Void WriteTo(Stream destination)",
            "Span<TPixel> DangerousGetRowSpan(Int32 y)",
            "Boolean DangerousTryGetSinglePixelMemory(ref Memory<TPixel> memory)",
            "Void Dispose()",
        ],
        [typeof(PixelLease<>)] =
        [
            "Void ProcessPixelRows(PixelAccessorAction<TPixel> process)",
            "Void ProcessPixelRows<TState>(TState state, PixelAccessorStateAction<TPixel, TState> process)",
            "PixelBuffer<TPixel> AsBuffer()",
            "PixelLease<TPixel> View(Int32 x, Int32 y, Int32 width, Int32 height)",
            "PinnedPixels Pin()",
            "Void Clear()",
            "Void Fill(TPixel value)",
            "Void CopyTo(PixelLease<TPixel> destination)",
            "Void CopyFrom(PixelLease<TPixel> source)",
            "Void Dispose()",
        ],
        [typeof(PixelAccessor<>)] = ["Span<TPixel> GetRowSpan(Int32 y)", "RowEnumerator<TPixel> GetEnumerator()"],
        [typeof(PinnedPixels)] = ["NativePixels GiveToNative()", "Void Dispose()"],
        [typeof(NativePixels)] = ["Void Release()"],
        [typeof(RentScope)] =
        [
            "PixelBuffer<TPixel> Rent<TPixel>(Int32 width, Int32 height, AllocationOptions options = None)",
            "Boolean TryRent<TPixel>(Int32 width, Int32 height, ref PixelBuffer<TPixel> buffer, AllocationOptions options = None)",
            "ValueTask<PixelBuffer<TPixel>> RentAsync<TPixel>(Int32 width, Int32 height, AllocationOptions options = None, "
                + "CancellationToken cancellationToken = null)",
            "ExternalCharge ChargeExternal(Int64 bytes)",
            "IMemoryOwner<T> Allocate<T>(Int32 length, AllocationOptions options = None)",
            "Boolean TryLease<TPixel>(Int32 width, Int32 height, ref PixelLease<TPixel> lease, AllocationOptions options = None)",
            "ValueTask<PixelLease<TPixel>> LeaseAsync<TPixel>(Int32 width, Int32 height, AllocationOptions options = None, "
                + "CancellationToken cancellationToken = null)",
            "Boolean TryAllocate<T>(Int32 length, ref IMemoryOwner<T> owner, AllocationOptions options = None)",
            "ValueTask<IMemoryOwner<T>> AllocateAsync<T>(Int32 length, AllocationOptions options = None, CancellationToken cancellationToken = null)",
            "RentScope CreateScope(Int64 maxBytes)",
            "RentScope ReserveScope(Int64 bytes)",
            "ValueTask<RentScope> ReserveScopeAsync(Int64 bytes, CancellationToken cancellationToken = null)",
            "Void Dispose()",
        ],
        [typeof(LeakTracker)] = ["Void AssertNone()", "Void Dispose()"],
        [typeof(RentRecord)] = ["String ToString()"],
        [typeof(UniformUnmanagedMemoryPool)] =
        [
            "Boolean TryRent(Span<IntPtr> blocks)",
            "Void Return(ReadOnlySpan<IntPtr> blocks)",
            "Int64 Trim()",
            "PixelPoolStatistics GetStatistics()",
            "Void Dispose()",
        ],
        [typeof(TrimPolicy)] = ["static TrimPolicy Halving(TimeSpan period, Double rate)"],
        [typeof(MemoryPressureSource)] = ["Int64 GetAvailableBytes()", "Boolean IsHigh()"],
        [typeof(MemoryRecorder)] =
        [
            "static MemoryRecorder Start(PixelAllocator allocator, MemoryRecorderOptions options = null)", "MemoryMoment Mark(String name)",
            "MemoryRecording Stop()", "Void Dispose()",
        ],
        [typeof(MemoryRecording)] =
        [
            "Void WriteCsv(TextWriter writer)", "Void WriteSvg(TextWriter writer, String title = null, String subtitle = null)",
            "String ToSvg(String title = null, String subtitle = null)",
        ],
        [typeof(ExternalCharge)] = ["Void Dispose()"],
        [typeof(PixelPoolStatistics)] = ["String ToString()"],
        [typeof(PixelAccessorAction<>)] = ["Void Invoke(PixelAccessor<TPixel> accessor)"],
        [typeof(PixelAccessorAction<,>)] = ["Void Invoke(PixelAccessor<TPixel> accessor, PixelAccessor<TPixel2> accessor2)"],
        [typeof(PixelAccessorStateAction<,>)] = ["Void Invoke(PixelAccessor<TPixel> accessor, TState state)"],
        [typeof(SpanAction<>)] = ["Void Invoke(Span<TPixel> pixels)"],
    };

    // "get" or "get set" behind the type, as the contract has it.
    private static readonly Dictionary<Type, string[]> s_properties = new()
    {
        [typeof(PixelAllocator)] = ["static Shared: PixelAllocator get", "Name: String get"],
        [typeof(PixelAllocatorOptions)] =
        [
            "BlockBytes: Int32 get set", "SmallBufferThresholdBytes: Int32 get set", "SmallBuffers: SmallBufferStrategy get set",
            "ArrayPool: ArrayPool<Byte> get set", "UnpooledBlockBytes: Int32 get set", "MaxPooledBytes: Int64? get set", "MaxRentedBytes: Int64? get set",
            "TrimPolicy: TrimPolicy get set", "TimeProvider: TimeProvider get set", "MemoryPressure: MemoryPressureSource get set",
            "RowAlignmentBytes: Int32 get set", "UseHugePages: Boolean get set", "ClearOnReturn: Boolean get set", "Name: String? get set",
            "static IgnoredSettings: IReadOnlyList<InvalidSetting> get",
        ],
        [typeof(PixelBuffer<>)] =
        [
            "Width: Int32 get", "Height: Int32 get", "Stride: Int32 get", "BlockCount: Int32 get", "RowsPerBlock: Int32 get", "IsContiguous: Boolean get",
            "IsDisposed: Boolean get", "Item: TPixel get set",
        ],
        [typeof(PixelLease<>)] =
        [
            "Width: Int32 get", "Height: Int32 get", "Stride: Int32 get", "BlockCount: Int32 get", "RowsPerBlock: Int32 get", "IsContiguous: Boolean get",
            "IsDisposed: Boolean get",
        ],
        [typeof(PixelAccessor<>)] = ["Width: Int32 get", "Height: Int32 get", "FirstRow: Int32 get"],
        [typeof(PinnedPixels)] = ["Address: IntPtr get", "Pointer: Void* get", "Width: Int32 get", "Height: Int32 get", "Stride: Int32 get"],
        [typeof(ExternalCharge)] = ["Bytes: Int64 get"],
        [typeof(RentRecord)] = ["Bytes: Int64 get", "Age: TimeSpan? get", "Stack: StackTrace? get", "StackText: String? get", "Place: String? get"],
        [typeof(LeakedEventArgs)] = ["Rent: RentRecord get"],
        [typeof(PixelLeakException)] = ["Leaked: IReadOnlyList<RentRecord> get", "Held: IReadOnlyList<RentRecord> get"],
        [typeof(PixelPoolStatistics)] =
        [
            "RentedBytes: Int64 get set", "IdleBytes: Int64 get set", "AllocatedBytes: Int64 get set", "ReleasedBytes: Int64 get set",
            "PeakHeldBytes: Int64 get set", "Rents: Int64 get", "Hits: Int64 get set", "Misses: Int64 get set", "LeakedCount: Int64 get set",
            "LeakedBytes: Int64 get set", "TrimmedBytes: Int64 get", "TrimmedByTimerBytes: Int64 get set", "TrimmedByGen2Bytes: Int64 get set",
            "TrimmedByPressureBytes: Int64 get set", "TrimmedByRequestBytes: Int64 get set", "TrimmedByOutOfMemoryBytes: Int64 get set",
        ],
        [typeof(TrimPolicy)] = ["static Demand: TrimPolicy get", "static None: TrimPolicy get"],
        [typeof(MemoryPressureSource)] = ["static System: MemoryPressureSource get", "IsLimited: Boolean get"],
        [typeof(MemoryRecorderOptions)] = ["Period: TimeSpan get set", "TimeProvider: TimeProvider get set"],
        [typeof(MemoryRecording)] =
        [
            "AllocatorName: String? get", "Samples: IReadOnlyList<MemorySample> get", "Moments: IReadOnlyList<MemoryMoment> get", "Duration: TimeSpan get",
        ],
        [typeof(MemorySample)] = ["Elapsed: TimeSpan get set", "ResidentBytes: Int64 get set", "Pool: PixelPoolStatistics get set"],
        [typeof(MemoryMoment)] = ["Name: String get set", "Sample: MemorySample get set"],
        [typeof(PixelBudgetExceededException)] = ["RequestedBytes: Int64 get", "LimitBytes: Int64 get", "Budget: String get", "Waited: TimeSpan? get"],
    };

    public static TheoryData<Type> TypesWithMethods => [.. s_methods.Keys];

    public static TheoryData<Type> TypesWithProperties => [.. s_properties.Keys];

    [Theory]
    [MemberData(nameof(TypesWithMethods))]
    public void The_methods_of_the_contract_are_there(Type type)
    {
        string[] methods = [.. type.GetMethods(Everything).Select(Describe)];
        Assert.All(s_methods[type], expected => Assert.Contains(expected, methods));
    }

    [Theory]
    [MemberData(nameof(TypesWithProperties))]
    public void The_properties_of_the_contract_are_there(Type type)
    {
        string[] properties = [.. type.GetProperties(Everything).Select(Describe)];
        Assert.All(s_properties[type], expected => Assert.Contains(expected, properties));
    }

    [Fact]
    public void The_types_are_what_the_contract_says()
    {
        Type[] disposables =
            [typeof(PixelAllocator), typeof(PixelBuffer<>), typeof(PinnedPixels), typeof(RentScope), typeof(UniformUnmanagedMemoryPool)];
        Assert.All(disposables, type => Assert.True(type.IsSealed && type.IsClass && typeof(IDisposable).IsAssignableFrom(type), type.Name));
        Assert.True(typeof(PixelAllocatorOptions) is { IsSealed: true, IsClass: true });
        Assert.True(typeof(PixelAccessor<>) is { IsByRefLike: true, IsValueType: true });
        Assert.Contains(typeof(PixelAccessor<>).CustomAttributes, a => a.AttributeType.Name == "IsReadOnlyAttribute");
        Assert.True(typeof(PixelLease<>) is { IsByRefLike: false, IsValueType: true });
        Assert.True(typeof(IDisposable).IsAssignableFrom(typeof(PixelLease<>)));
        Assert.Contains(typeof(PixelLease<>).CustomAttributes, a => a.AttributeType.Name == "IsReadOnlyAttribute");
        Assert.True(typeof(PixelPoolStatistics) is { IsValueType: true });
        Assert.True(typeof(IEquatable<PixelPoolStatistics>).IsAssignableFrom(typeof(PixelPoolStatistics)));
        Assert.True(typeof(TrimPolicy) is { IsAbstract: true, IsSealed: false });
        Assert.True(typeof(MemoryPressureSource) is { IsAbstract: true, IsSealed: false });
        Assert.Equal(typeof(InvalidOperationException), typeof(InvalidMemoryOperationException).BaseType);
        Assert.Equal(typeof(InvalidMemoryOperationException), typeof(PixelBudgetExceededException).BaseType);
        Assert.NotNull(typeof(RentScope).GetConstructor([typeof(PixelAllocator)]));
        Assert.NotNull(typeof(PixelAllocatorOptions).GetConstructor([]));
        Assert.Empty(typeof(PixelAllocator).GetConstructors());
        Assert.Empty(typeof(PixelBuffer<>).GetConstructors());
    }

    [Fact]
    public void The_enums_have_their_values()
    {
        Assert.Equal((0, 1, 2), ((int)AllocationOptions.None, (int)AllocationOptions.Clean, (int)AllocationOptions.Contiguous));
        Assert.Equal((0, 1, 2), ((int)LeakTracking.Off, (int)LeakTracking.Sampled, (int)LeakTracking.Full));
        Assert.NotNull(typeof(AllocationOptions).GetCustomAttribute<FlagsAttribute>());
        Assert.Equal((0, 1, 2), ((int)SmallBufferStrategy.ArrayPool, (int)SmallBufferStrategy.Slab, (int)SmallBufferStrategy.None));
    }

    [Fact]
    public void Public_types_are_in_two_namespaces_and_their_fields_are_hidden()
    {
        Assert.All(typeof(PixelAllocator).Assembly.GetExportedTypes(), type =>
        {
            Assert.Contains(type.Namespace, new[] { "PixelPool", "PixelPool.Diagnostics" });
            Assert.True(type.IsEnum || type.GetFields(Everything).All(field => field.IsLiteral), $"{type} has public fields.");
        });
    }

    [Fact]
    public void Foreach_over_an_accessor_needs_no_helper()
    {
        // The shape foreach asks for, with spans that can be written.
        MethodInfo enumerate = typeof(PixelAccessor<byte>).GetMethod("GetEnumerator")!;
        Assert.Equal(typeof(Span<byte>), enumerate.ReturnType.GetProperty("Current")!.PropertyType);
        Assert.Equal(typeof(bool), enumerate.ReturnType.GetMethod("MoveNext")!.ReturnType);
        Assert.True(enumerate.ReturnType.IsByRefLike);
    }

    private static string Describe(MethodInfo method)
    {
        string arguments = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(argument => argument.Name))}>" : string.Empty;
        string parameters = string.Join(", ", method.GetParameters().Select(parameter =>
            $"{MemberNames.Of(parameter.ParameterType)} {parameter.Name}{Default(parameter)}"));
        return $"{(method.IsStatic ? "static " : string.Empty)}{MemberNames.Of(method.ReturnType)} {method.Name}{arguments}({parameters})";
    }

    private static string Default(ParameterInfo parameter) => !parameter.HasDefaultValue
        ? string.Empty
        : " = " + (parameter.ParameterType.IsEnum ? Enum.ToObject(parameter.ParameterType, parameter.DefaultValue!) : parameter.DefaultValue ?? "null");

    private static string Describe(PropertyInfo property)
    {
        bool isStatic = property.GetMethod!.IsStatic;
        string accessors = property.SetMethod is { IsPublic: true } ? "get set" : "get";
        return $"{(isStatic ? "static " : string.Empty)}{property.Name}: {MemberNames.Of(property)} {accessors}";
    }
}
