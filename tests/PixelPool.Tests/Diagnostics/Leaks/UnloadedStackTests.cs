using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Of stacks with code that can be unloaded only text is remembered, and nobody gets it whose code was loaded at the same place later.</summary>
public class UnloadedStackTests
{
    private readonly RentStackTable _table = new();

    [Fact]
    public void Generated_method_is_not_kept()
    {
        WeakReference method = CaptureInGeneratedMethod(out RentStack stack);
        Collector.CollectAll();
        Assert.False(method.IsAlive);
        Assert.Null(stack.Stack);
        Assert.Contains("Generated", stack.Text, StringComparison.Ordinal);
    }

    // The runtime may have freed its symbols, and ends the process when it reads them then.
    [Fact]
    public void What_it_threw_is_told_without_files_and_lines()
    {
        Exception failure = Assert.ThrowsAny<Exception>(() => CallFromGenerated(static () => throw new InvalidOperationException("thrown inside"), out _));
        Assert.Contains(":line ", failure.ToString(), StringComparison.Ordinal);
        foreach (Exception told in new[] { failure, new AggregateException(failure) })
        {
            string text = ApplicationFailure.Describe(told);
            Assert.StartsWith($"{told.GetType()}: {told.Message}", text, StringComparison.Ordinal);
            Assert.Contains("thrown inside", text, StringComparison.Ordinal);
            Assert.DoesNotContain(":line ", text, StringComparison.Ordinal);
        }

        Assert.Contains(nameof(CallFromGenerated), ApplicationFailure.Describe(failure), StringComparison.Ordinal);
    }

    // The runtime gives the number by which it knows a method to another one, once the code of the first is unloaded.
    [Fact]
    public void Method_at_the_place_of_one_that_was_unloaded_is_not_taken_for_it()
    {
        var here = new UnloadableModule();
        var there = new UnloadableModule();
        Assert.Equal(Fingerprint(here, 1), Fingerprint(here, 1));
        Assert.NotEqual(Fingerprint(here, 1), Fingerprint(there, 1));
        Assert.NotEqual(Fingerprint(here, 1), Fingerprint(here, 2));
    }

    [Fact]
    public void Stack_of_code_that_stays_can_be_had_as_frames_and_as_text()
    {
        RentStack stack = Here();
        Assert.Equal(nameof(Here), stack.Stack!.GetFrame(0)!.GetMethod()!.Name);
        Assert.Equal(stack.Stack.ToString(), stack.Text);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RentStack Here()
    {
        RentStack stack = _table.Capture();
        GC.KeepAlive(stack);
        return stack;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference CaptureInGeneratedMethod(out RentStack stack)
    {
        stack = (RentStack)CallFromGenerated(() => _table.Capture(), out WeakReference method);
        return method;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object CallFromGenerated(Func<object> inside, out WeakReference generated)
    {
        var method = new DynamicMethod("Generated", typeof(object), [typeof(Func<object>)], typeof(UnloadedStackTests).Module);
        ILGenerator body = method.GetILGenerator();
        body.DeclareLocal(typeof(object));
        body.Emit(OpCodes.Ldarg_0);
        body.Emit(OpCodes.Callvirt, typeof(Func<object>).GetMethod("Invoke")!);
        body.Emit(OpCodes.Stloc_0);

        // Something to do after the call: without it the call could be a jump, which leaves no frame.
        body.Emit(OpCodes.Ldloc_0);
        body.Emit(OpCodes.Call, ((Action<object?>)GC.KeepAlive).Method);
        body.Emit(OpCodes.Ldloc_0);
        body.Emit(OpCodes.Ret);
        generated = new WeakReference(method);
        return method.CreateDelegate<Func<Func<object>, object>>()(inside);
    }

    private static ulong Fingerprint(Module module, int token)
    {
        var frame = new MethodFrame(new UnloadableMethod(module, token));
        ulong key = RentStackTable.Fingerprint(new StackTrace(frame), out bool canBeUnloaded);
        Assert.True(canBeUnloaded);
        return key;
    }

    /// <summary>A frame of which only the method is known.</summary>
    private sealed class MethodFrame(MethodBase method) : StackFrame
    {
        public override MethodBase GetMethod() => method;
    }
}
