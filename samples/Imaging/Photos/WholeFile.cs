namespace Imaging.Photos;

/// <summary>Writes files that are there whole or not at all, also when two threads write the same one.</summary>
public static class WholeFile
{
    /// <summary>Lets <paramref name="write"/> fill another file, which gets the name when it is whole.</summary>
    public static void Write(string path, Action<Stream> write)
    {
        string unfinished = $"{path}.{Environment.CurrentManagedThreadId}.unfinished";
        try
        {
            using (FileStream file = File.Create(unfinished))
            {
                write(file);
            }

            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }
}
