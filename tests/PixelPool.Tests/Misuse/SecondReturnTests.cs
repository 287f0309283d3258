using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

/// <summary>
/// What is given back a second time, of every kind and in every form, ends nothing that is somebody else's and changes no account. What is counted for leases and native code is
/// <see cref="PixelPoolStatistics.SecondReturns"/>.
/// </summary>
public sealed class SecondReturnTests
{
    private const int Threads = 4;
    private const byte Mine = 0x11;
    private const byte Other = 0x77;

    private static readonly SmallBufferStrategy[] s_strategies = [SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab, SmallBufferStrategy.None];

    private static readonly Dictionary<string, Action<MisusedAllocator, string>> s_forms = new()
    {
        ["twice in a row"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            EndAgain(system, handle);
            EndAgain(system, handle);
        },
        ["by several threads at once"] = static (system, kind) =>
        {
            for (int round = 0; round < 5; round++)
            {
                RentedHandle handle = Rent(system, kind, Mine);
                PixelPoolStatistics rented = system.Statistics;
                Simultaneously.Run(Threads, _ => handle.End());
                Assert.NotEqual(rented, system.Statistics);
                system.AssertNothingHeld();
            }
        },
        ["after it was rented by somebody else"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            BesideOthers(system, kind, () => EndAgain(system, handle));
        },
        ["between returns of another one"] = static (system, kind) =>
        {
            RentedHandle first = Rent(system, kind, Mine);
            RentedHandle second = Rent(system, kind, Other);
            first.End();
            AssertHolds(second, Other);
            second.End();
            EndAgain(system, first);
            EndAgain(system, second);
            EndAgain(system, first);
            BesideOthers(system, kind, () => EndAgain(system, second));
        },
        ["after many others"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            for (int i = 0; i < 40; i++)
            {
                Rent(system, kind, (byte)i).End();
            }

            BesideOthers(system, kind, () => EndAgain(system, handle));
        },
        ["after its memory went back to the system"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            system.Allocator.Trim();
            EndAgain(system, handle);
            BesideOthers(system, kind, () => EndAgain(system, handle));
        },
        ["inside of a delegate of the next one"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            BesideOthers(system, kind, () =>
            {
                using PixelBuffer<byte> image = system.Allocator.Rent<byte>(200, 200);
                image.Fill(Other);
                image.ProcessPixelRows(image, (rows, _) =>
                {
                    EndAgain(system, handle);
                    foreach (Span<byte> row in rows)
                    {
                        Assert.Equal(-1, row.IndexOfAnyExcept(Other));
                    }
                });
            });
        },
        ["on another thread"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            Simultaneously.Run(1, _ => handle.End());
            BesideOthers(system, kind, () => Simultaneously.Run(1, _ => EndAgain(system, handle)));
        },
        ["by a finalizer after its return"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            BesideOthers(system, kind, () =>
            {
                var finished = new StrongBox();
                Drop(handle, finished);
                for (int i = 0; i < 50 && !finished.IsSet; i++)
                {
                    Collector.CollectAll();
                }

                Assert.True(finished.IsSet);
                Assert.Null(finished.Failure);
            });
        },
        ["after the allocator is gone"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            handle.End();
            system.Allocator.Dispose();
            EndAgain(system, handle);
            system.AssertNothingHeld();
        },
        ["after the allocator went first"] = static (system, kind) =>
        {
            RentedHandle handle = Rent(system, kind, Mine);
            system.Allocator.Dispose();
            AssertHolds(handle, Mine);
            handle.End();
            system.AssertNothingHeld();
            EndAgain(system, handle);
            system.System.Source.AssertAllFreed();
        },
    };

    public static TheoryData<string, string> KindsAndForms
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (string kind in RentedHandles.Names)
            {
                foreach (string form in s_forms.Keys)
                {
                    data.Add(kind, form);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(KindsAndForms))]
    public void It_changes_nothing(string kind, string form)
    {
        foreach (SmallBufferStrategy strategy in s_strategies)
        {
            using var system = new MisusedAllocator(strategy);
            s_forms[form](system, kind);
            if (form.StartsWith("after the allocator", StringComparison.Ordinal))
            {
                system.AssertNothingHeld();
            }
            else
            {
                system.AssertQuiet();
            }
        }
    }

    private static RentedHandle Rent(MisusedAllocator system, string kind, byte value)
    {
        RentedHandle handle = RentedHandles.Rent(kind, system.Allocator);
        handle.Fill?.Invoke(value);
        return handle;
    }

    // Others rent what the first one gave back: of the same kind, and of other sizes.
    private static void BesideOthers(MisusedAllocator system, string kind, Action endAgain)
    {
        RentedHandle[] others =
        [
            Rent(system, kind, Other),
            Rent(system, "lease", Other),
            Rent(system, "small image", Other),
            Rent(system, "small lease", Other),
            Rent(system, "image of one block", Other),
            Rent(system, "owner", Other),
        ];
        endAgain();
        foreach (RentedHandle other in others)
        {
            AssertHolds(other, Other);
        }

        foreach (RentedHandle other in others)
        {
            PixelPoolStatistics before = system.Statistics;
            other.End();
            Assert.NotEqual(before, system.Statistics);
        }
    }

    private static void EndAgain(MisusedAllocator system, RentedHandle handle)
    {
        PixelPoolStatistics before = system.Statistics;
        handle.End();
        Assert.Equal(before, system.Statistics);
    }

    private static void AssertHolds(RentedHandle handle, byte value) => Assert.True(handle.Holds?.Invoke(value) ?? true, "The memory was changed by others.");

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Drop(RentedHandle handle, StrongBox finished) => GC.KeepAlive(new EndsWhenFinalized(handle.End, finished));

    private sealed class StrongBox
    {
        private volatile bool _isSet;

        public bool IsSet => _isSet;

        public Exception? Failure { get; private set; }

        public void Set(Exception? failure)
        {
            Failure = failure;
            _isSet = true;
        }
    }

    private sealed class EndsWhenFinalized(Action end, StrongBox finished)
    {
        ~EndsWhenFinalized()
        {
            Exception? failure = null;
            try
            {
                end();
            }
#pragma warning disable CA1031 // it ends the process otherwise
            catch (Exception e)
            {
                failure = e;
            }
#pragma warning restore CA1031
            finished.Set(failure);
        }
    }
}
