using Imaging.Photos;
using Imaging.Testing;

namespace Imaging.Tests.Photos;

public class PhotoFolderTests
{
    [Fact]
    public void Thumbnails_of_photos_that_differ_in_their_extension_only_keep_it()
    {
        using var folder = new TemporaryFolder();
        foreach (string name in (string[])["b.png", "a.JPG", "a.png", "notes.txt", "no-extension"])
        {
            folder.Write(name, []);
        }

        Directory.CreateDirectory(folder["folder.png"]);
        Assert.Equal(
            [("a.JPG", "a.JPG"), ("a.png", "a.png"), ("b.png", "b")],
            PhotoFolder.Find(folder.FullPath).Select(photo => (photo.FileName, photo.ThumbnailName)));
    }

    [Fact]
    public void A_name_that_an_extension_was_kept_in_is_not_that_of_another_thumbnail()
    {
        using var folder = new TemporaryFolder();
        foreach (string name in (string[])["a.jpg", "a.jpg.png", "a.jpg.png.bmp", "a.png", "b.ppm"])
        {
            folder.Write(name, []);
        }

        Assert.Equal(
            [("a.jpg", "a.jpg"), ("a.jpg.png", "a.jpg.png"), ("a.jpg.png.bmp", "a.jpg.png.bmp"), ("a.png", "a.png"), ("b.ppm", "b")],
            PhotoFolder.Find(folder.FullPath).Select(photo => (photo.FileName, photo.ThumbnailName)));
    }

    [Fact]
    public void A_file_that_could_not_be_written_whole_is_not_there_and_the_old_one_stays()
    {
        using var folder = new TemporaryFolder();
        folder.Write("kept", [1, 2, 3]);
        Assert.Throws<IOException>(() => WholeFile.Write(folder["kept"], WriteHalf));
        Assert.Throws<IOException>(() => WholeFile.Write(folder["new"], WriteHalf));
        Assert.Equal([folder["kept"]], Directory.GetFiles(folder.FullPath));
        Assert.Equal([1, 2, 3], File.ReadAllBytes(folder["kept"]));

        static void WriteHalf(Stream file)
        {
            file.WriteByte(4);
            throw new IOException("The disk is full.");
        }
    }

    [Fact]
    public void An_unfinished_file_belongs_to_one_process_and_who_cannot_create_it_leaves_it()
    {
        using var folder = new TemporaryFolder();
        string unfinished = "";
        WholeFile.Write(folder["photo"], _ => unfinished = Path.GetFileName(Assert.Single(Directory.GetFiles(folder.FullPath))));
        Assert.Contains($".{Environment.ProcessId}-", unfinished, StringComparison.Ordinal);

        using (new FileStream(folder[unfinished], FileMode.CreateNew, FileAccess.Write, FileShare.None))
        {
            Assert.Throws<IOException>(() => WholeFile.Write(folder["photo"], static _ => { }));
            Assert.True(File.Exists(folder[unfinished]));
        }
    }
}
