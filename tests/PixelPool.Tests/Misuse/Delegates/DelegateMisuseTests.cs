using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Delegates;

/// <summary>
/// Whatever a delegate does to its images, their scope and their allocator: it sees its pixels until it returns, and everything is returned once. Each public method that takes a delegate is
/// tried with each of these.
/// </summary>
public sealed class DelegateMisuseTests
{
    private static readonly Dictionary<string, Action<DelegateSubject, DelegateCall>> s_acts = new()
    {
        ["ends its images"] = static (subject, _) => subject.DisposeImages(),
        ["ends its images twice, others rent, and it ends them again"] = static (subject, _) =>
        {
            subject.DisposeImages();
            subject.DisposeImages();
            subject.RentByOthers();
            subject.DisposeImages();
        },
        ["ends the scope"] = static (subject, _) =>
        {
            subject.Scope.Dispose();
            subject.RentByOthers();
        },
        ["ends the allocator"] = static (subject, _) => subject.System.Allocator.Dispose(),
        ["ends everything"] = static (subject, _) =>
        {
            subject.System.Allocator.Dispose();
            subject.Scope.Dispose();
            subject.DisposeImages();
            Assert.Throws<ObjectDisposedException>(() => subject.System.Allocator.Rent<byte>(1, 1));
        },
        ["calls again what called it"] = static (subject, call) => call.Run(subject, static () => { }),
        ["calls again what called it, ends all, and others rent"] = static (subject, call) =>
        {
            try
            {
                call.Run(subject, () =>
                {
                    subject.Scope.Dispose();
                    subject.RentByOthers();
                });
            }
            catch (ObjectDisposedException)
            {
                // Another band has ended it already.
            }
        },
        ["rents, returns and trims"] = static (subject, _) =>
        {
            subject.RentByOthers();
            subject.System.Allocator.Trim();
            subject.RentByOthers();
        },
        ["takes views, pins and clones, and drops its images before them"] = static (subject, _) =>
        {
            try
            {
                using PixelBuffer<uint> view = subject.Image.View(1, 1, 3, 3);
                using PinnedPixels pin = view.Pin();
                using PixelBuffer<uint> clone = subject.Other.Clone();
                using PixelBuffer<uint> buffer = subject.Lease.AsBuffer();
                subject.DisposeImages();
                subject.RentByOthers();
                Assert.Equal(DelegateSubject.Value, clone[19, 29]);
                Assert.Equal(DelegateSubject.Value, view[2, 2]);
                Assert.Equal(DelegateSubject.Value, buffer[19, 29]);
            }
            catch (ObjectDisposedException)
            {
                // Another band has dropped them already.
            }
        },
        ["throws"] = static (_, _) => throw new FormatException(),
        ["ends its images and throws"] = static (subject, _) =>
        {
            subject.DisposeImages();
            throw new FormatException();
        },
        ["ends everything and throws"] = static (subject, _) =>
        {
            subject.System.Allocator.Dispose();
            subject.Scope.Dispose();
            throw new FormatException();
        },
    };

    public static TheoryData<string> Acts => [.. s_acts.Keys];

    [Fact]
    public void All_methods_are_found() =>
        Assert.InRange(DelegateCall.All.Select(static call => call.Name).Distinct().Count(), 60, DelegateCall.All.Count);

    [Theory]
    [MemberData(nameof(Acts))]
    public void It_sees_its_pixels_to_the_end_and_all_is_returned_once(string act)
    {
        foreach (DelegateCall call in DelegateCall.All)
        {
            for (int size = 0; size < DelegateSubject.Sizes; size++)
            {
                try
                {
                    Check(act, call, size, size == 0 ? SmallBufferStrategy.Slab : SmallBufferStrategy.ArrayPool);
                }
                catch (Exception e)
                {
                    throw new InvalidOperationException($"{call}, size {size}: {e.Message}", e);
                }
            }
        }
    }

    // The k-th call of a delegate throws: the first ones have changed nothing then, and those behind it do not come.
    [Fact]
    public void It_may_throw_at_each_call()
    {
        foreach (DelegateCall call in DelegateCall.All)
        {
            int calls;
            int failing = 1;
            do
            {
                using var subject = new DelegateSubject(size: 1, SmallBufferStrategy.ArrayPool);
                calls = 0;
                Exception? thrown = Record.Exception(() => call.Run(subject, () =>
                {
                    if (Interlocked.Increment(ref calls) == failing)
                    {
                        throw new FormatException();
                    }
                }));
                Assert.Equal(calls >= failing, IsFormatException(thrown));
                subject.Image.ProcessPixelRows(DelegatePixels.AssertHold);
                subject.Scope.Dispose();
                subject.System.AssertQuiet();
            }
            while (calls >= failing++);
        }
    }

    private static void Check(string act, DelegateCall call, int size, SmallBufferStrategy small)
    {
        using var subject = new DelegateSubject(size, small);
        int calls = 0;
        Exception? thrown = Record.Exception(() => call.Run(subject, () =>
        {
            Interlocked.Increment(ref calls);
            s_acts[act](subject, call);
        }));
        Assert.Equal(call.NeedsOnePiece && size == DelegateSubject.Sizes - 1, calls == 0);
        if (calls != 0 && act.EndsWith("throws", StringComparison.Ordinal))
        {
            Assert.True(IsFormatException(thrown), thrown?.ToString());
        }
        else if (thrown is not null)
        {
            throw thrown;
        }

        subject.Scope.Dispose();
        subject.DisposeImages();
        subject.System.AssertNothingHeld();
        subject.System.Allocator.Dispose();
        subject.System.System.Source.AssertAllFreed();
    }

    private static bool IsFormatException(Exception? thrown) =>
        thrown is FormatException || (thrown is AggregateException several && several.InnerExceptions.All(static inner => inner is FormatException));
}
