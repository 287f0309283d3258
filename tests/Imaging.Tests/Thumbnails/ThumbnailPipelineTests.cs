using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Photos;
using Imaging.Testing;
using Imaging.Thumbnails;
using PixelPool.Testing;

namespace Imaging.Tests.Thumbnails;

public class ThumbnailPipelineTests
{
    public static TheoryData<string> AllMemories => Memories.All;

    [Fact]
    public void All_memories_and_numbers_of_threads_make_the_same_files()
    {
        using var photos = new TemporaryFolder();
        PhotoSet.WriteSound(photos);
        var hashes = new HashSet<string>();
        foreach (string name in Memories.Names)
        {
            for (int parallelism = 1; parallelism <= 2; parallelism++)
            {
                using var thumbnails = new TemporaryFolder();
                using var memory = Memories.Create(name);
                RunTotals totals = SmallRun.Execute(photos.FullPath, thumbnails.FullPath, memory, parallelism);
                Collector.CollectAll();

                Assert.Empty(totals.Skipped);
                Assert.Equal(PhotoSet.SoundCount * SmallRun.Repetitions, totals.Thumbnails);
                Memories.AssertNothingIsRented(memory);
                string[] files = Directory.GetFiles(thumbnails.FullPath);
                Assert.Equal(PhotoSet.SoundCount, files.Length);
                hashes.Add(ThumbnailHash.Of(files));
            }
        }

        Assert.Single(hashes);
    }

    [Theory]
    [MemberData(nameof(AllMemories))]
    public void Broken_files_are_skipped_and_give_everything_back(string name)
    {
        using var photos = new TemporaryFolder();
        using var thumbnails = new TemporaryFolder();
        PhotoSet.WriteSound(photos);
        PhotoSet.WriteBroken(photos);
        using var memory = Memories.Create(name);
        RunTotals totals = SmallRun.Execute(photos.FullPath, thumbnails.FullPath, memory, parallelism: 2);
        Collector.CollectAll();

        Assert.Equal(PhotoSet.SoundCount * SmallRun.Repetitions, totals.Thumbnails);
        Assert.Equal(PhotoSet.BrokenFiles.Keys.Order(), totals.Skipped.Keys);
        Assert.All(PhotoSet.BrokenFiles, file => Assert.Contains(file.Value, totals.Skipped[file.Key], StringComparison.Ordinal));
        Assert.Equal(PhotoSet.SoundCount, Directory.GetFiles(thumbnails.FullPath).Length);
        Memories.AssertNothingIsRented(memory);
    }

    [Fact]
    public void Thumbnails_are_the_photos_in_small()
    {
        using var photos = new TemporaryFolder();
        using var thumbnails = new TemporaryFolder();
        photos.Write("waves.ppm", ImageCodecs.Ppm.Encode(Picture.Smooth(SmallRun.ThumbnailSide * 4, SmallRun.ThumbnailSide * 3)));
        SmallRun.Execute(photos.FullPath, thumbnails.FullPath, new ObservedMemory(), parallelism: 1);
        Picture thumbnail = ImageCodecs.Bmp.Decode(File.ReadAllBytes(thumbnails["waves.bmp"]));
        Picture expected = Picture.Painted(
            SmallRun.ThumbnailSide,
            SmallRun.ThumbnailSide * 3 / 4,
            (x, y, channel) => 128 + (100 * Math.Sin(((4 * x) + 1.5 + (2 * ((4 * y) + 1.5)) + (20 * channel)) / 40)));
        Assert.True(expected.LikenessTo(thumbnail) > 35, $"{expected.LikenessTo(thumbnail)} dB");
    }

    [Fact]
    public void Thumbnails_are_written_in_every_format()
    {
        using var folder = new TemporaryFolder();
        folder.Write("photo.bmp", ImageCodecs.Bmp.Encode(Picture.Random(90, 70)));
        var memory = new ObservedMemory();
        foreach (IImageCodec codec in ImageCodecs.All.Where(codec => codec.IsAvailable))
        {
            ThumbnailPipeline pipeline = SmallRun.PipelineTo(folder.FullPath, memory, format: codec);
            var photo = new Photo(folder["photo.bmp"], "small");
            Assert.Null(pipeline.Process(photo).Problem);
            Assert.True(codec.Recognizes(File.ReadAllBytes(pipeline.ThumbnailPath(photo))));
            Assert.Equal(0, memory.Live);
        }
    }

    [Fact]
    public void A_photo_without_memory_is_skipped_and_leaves_no_file()
    {
        using var photos = new TemporaryFolder();
        using var thumbnails = new TemporaryFolder();
        photos.Write("photo.bmp", ImageCodecs.Bmp.Encode(Picture.Random(90, 70)));
        var photo = new Photo(photos["photo.bmp"], "photo");
        var enough = new ObservedMemory();
        Assert.Null(SmallRun.PipelineTo(thumbnails.FullPath, enough).Process(photo).Problem);
        File.Delete(thumbnails["photo.bmp"]);

        for (int rent = 1; rent <= enough.Rents; rent++)
        {
            var memory = new ObservedMemory { FailAt = rent };
            Assert.NotNull(SmallRun.PipelineTo(thumbnails.FullPath, memory).Process(photo).Problem);
            Assert.Equal(0, memory.Live);
            Assert.Empty(Directory.GetFiles(thumbnails.FullPath));
        }
    }

    [Theory]
    [InlineData(nameof(AllocatorKind.PixelPool))]
    [InlineData("SmallBlocks")]
    public void What_is_forgotten_on_purpose_comes_back_by_finalizers(string name)
    {
        using var photos = new TemporaryFolder();
        using var thumbnails = new TemporaryFolder();
        PhotoSet.WriteSound(photos);
        using var memory = Memories.Create(name);

        // A thread of its own: nothing on the stack of this one keeps an image alive.
        var run = new Thread(() => SmallRun.Execute(photos.FullPath, thumbnails.FullPath, memory, parallelism: 1, leakEvery: 2));
        run.Start();
        Assert.True(run.Join(TimeSpan.FromMinutes(1)));
        Collector.CollectAll();

        Assert.Equal(PhotoSet.SoundCount * SmallRun.Repetitions / 2, memory.Statistics!.Value.LeakedCount);
        Assert.Equal(0, memory.Statistics!.Value.RentedBytes);
    }
}
