namespace PixelPool.Stress.Renting;

/// <summary>Rents images of 4-byte pixels and works on them; used by all threads at the same time.</summary>
/// <typeparam name="TImage">What is rented.</typeparam>
/// <remarks>Renters and images are structs, so that every contender's code is compiled for it alone.</remarks>
internal interface IRenter<TImage>
    where TImage : struct
{
    TImage Rent(int width, int height);

    void Return(TImage image);

    /// <summary>Writes the first pixel.</summary>
    void Touch(TImage image);

    /// <summary>Writes every pixel.</summary>
    void Fill(TImage image, uint colour);

    /// <summary>Reads every pixel of the one image, and writes it, converted, into the other of the same size.</summary>
    void Convert(TImage source, TImage target);

    /// <summary>Gives idle memory back to the system.</summary>
    /// <returns>False where nobody can ask for that.</returns>
    bool Trim();
}
