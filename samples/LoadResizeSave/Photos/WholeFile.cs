namespace LoadResizeSave.Photos;

/// <summary>Writes files that are there whole or not at all, also when two threads write the same one.</summary>
internal static class WholeFile
{
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
