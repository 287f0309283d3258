using System.Reflection;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Places read as the method somebody wrote.</summary>
public class StackPlaceTests
{
    [Theory]
    [InlineData("App.Loader", "Load", "App.Loader.Load")]
    [InlineData("App.Loader", ".ctor", "App.Loader..ctor")]
    [InlineData("App.Loader+Cache", "Load", "App.Loader.Cache.Load")]
    [InlineData("App.Loader+<LoadAsync>d__5", "MoveNext", "App.Loader.LoadAsync")]
    [InlineData("App.Loader+Cache+<LoadAsync>d__5`1", "MoveNext", "App.Loader.Cache.LoadAsync")]
    [InlineData("App.Loader+<>c", "<Load>b__0_0", "App.Loader.Load")]
    [InlineData("App.Loader+<>c__DisplayClass3_0", "<Load>b__0", "App.Loader.Load")]
    [InlineData("App.Loader+<>c+<<LoadAll>b__0_0>d", "MoveNext", "App.Loader.LoadAll")]
    [InlineData("App.Loader", "<Load>g__Decode|0_0", "App.Loader.Load")]
    [InlineData("App.Loader+<<Load>g__DecodeAsync|2_0>d", "MoveNext", "App.Loader.Load")]
    [InlineData("Program", "<Main>$", "Program.Main")]
    [InlineData(null, "lambda_method", "lambda_method")]
    public void Compilers_names_are_read(string? type, string method, string place) => Assert.Equal(place, StackPlace.Join(type, method));

    [Theory]
    [InlineData("App.Loader.Load(String) + 0x29 at offset 41 in file:line:column <filename unknown>:0:0", "App.Loader.Load", false)]
    [InlineData("App.Loader.Load[T](T, App.Cache[]) + 0x29", "App.Loader.Load", false)]
    [InlineData("App.Loader..ctor() + 0x29", "App.Loader..ctor", false)]
    [InlineData("App.Loader.<.ctor>g__Open|2_0(String) + 0x29", "App.Loader..ctor", false)]
    [InlineData("App.Loader.<System.IDisposable.Dispose>g__Close|4_0() + 0x29", "App.Loader.System.IDisposable.Dispose", false)]
    [InlineData("App.Loader.<>c.<<.ctor>b__0_0>d.MoveNext() + 0x29", "App.Loader..ctor", false)]
    [InlineData("App.Cache`1.Line.Load[T](T) + 0x29", "App.Cache`1.Line.Load", false)]
    [InlineData("Program.<<Main>$>d__0.MoveNext() + 0x6ec", "Program.Main", false)]
    [InlineData("App.Loader.<>c.<<LoadAll>b__0_0>d.MoveNext() + 0x1", "App.Loader.LoadAll", false)]
    [InlineData("PixelPool.PixelAllocator.RentFor[TPixel](RentScope, Int32) + 0x79", "PixelPool.PixelAllocator.RentFor", true)]
    [InlineData("PixelPool.PixelAllocator.<RentLaterAsync>d__29.MoveNext() + 0x79", "PixelPool.PixelAllocator.RentLaterAsync", true)]
    [InlineData("PixelPool.ImageSharp.PixelPoolMemoryAllocator.Allocate[T](Int32) + 0x79", "PixelPool.ImageSharp.PixelPoolMemoryAllocator.Allocate", true)]
    [InlineData("PixelPools.Loader.Load() + 0x79", "PixelPools.Loader.Load", false)]
    public void Frames_of_Native_AOT_are_read(string frame, string place, bool isOwn)
    {
        (string? assembly, string? type, string? method) = StackPlace.Read(frame);
        Assert.Equal(place, StackPlace.Join(type, method!));
        Assert.Equal(isOwn, StackPlace.IsOwnAssembly(assembly));
    }

    [Theory]
    [InlineData("aot!<BaseAddress>+0x244e6c")]
    [InlineData("<unknown>")]
    [InlineData("Main() + 0x1")]
    [InlineData("")]
    public void Frames_without_a_method_have_none(string frame) => Assert.Equal(default, StackPlace.Read(frame));

    [Fact]
    public void The_library_is_told_by_its_full_name_and_by_its_short_one()
    {
        Assert.True(StackPlace.IsOwnAssembly(typeof(PixelAllocator).Assembly.FullName));
        Assert.True(StackPlace.IsOwnAssembly("PixelPool"));
        Assert.False(StackPlace.IsOwnAssembly("PixelPool.ImageSharp"));
        Assert.False(StackPlace.IsOwnAssembly("PixelPool.ImageSharp, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"));
        Assert.False(StackPlace.IsOwnAssembly("Pixel"));
        Assert.False(StackPlace.IsOwnAssembly(null));
    }
}
