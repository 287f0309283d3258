namespace PixelPool.Tests.ModelBased;

/// <summary>One step of a sequence. What the numbers choose depends on what there is then, so every sequence can be done, and any command can be left out of it.</summary>
/// <param name="Act">What is done.</param>
/// <param name="Which">Which of the objects.</param>
/// <param name="Size">How large, how far, how long.</param>
/// <param name="Form">In which of the ways.</param>
internal readonly record struct Command<TAct>(TAct Act, int Which, int Size, int Form)
    where TAct : struct, Enum
{
    public override string ToString() => $"{Act}({Which}, {Size}, {Form})";
}
