namespace Imaging.Photos;

/// <summary>Writes files that are there whole or not at all, also when two threads, or two processes, write the same one.</summary>
public static class WholeFile
{
    /// <summary>Lets <paramref name="write"/> fill another file, which gets the name when it is whole.</summary>
    public static void Write(string path, Action<Stream> write)
    {
        string unfinished = $"{path}.{Environment.ProcessId}-{Environment.CurrentManagedThreadId}.unfinished";

        // Not within the block that cleans up: what cannot be created is somebody else's.
        FileStream file = File.Create(unfinished);
        try
        {
            using (file)
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
