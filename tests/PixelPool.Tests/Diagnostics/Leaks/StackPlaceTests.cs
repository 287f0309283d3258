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
}
