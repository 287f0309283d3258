namespace Languages.FSharp

open System
open System.IO
open System.Runtime.InteropServices
open System.Threading.Tasks
open PixelPool
open Xunit

/// The examples of docs/languages.md, compiled and run. The tests of the pages compare them with the page.
type ExampleTests() =

    let allocator = PixelAllocator.Create()

    interface IDisposable with
        member _.Dispose() =
            Assert.Equal(0L, allocator.GetStatistics().RentedBytes)
            allocator.Dispose()

    [<Fact>]
    member _.Rows() =
        // #region docs/languages.md
        use image = allocator.Rent<uint32>(4000, 3000)

        image.ProcessPixelRows(fun rows ->
            for y in 0 .. rows.Height - 1 do
                let row = rows.GetRowSpan y
                row.Fill(0xFF000000u ||| uint32 y))

        printfn $"{image}: the last pixel is {image[3999, 2999]:X8}"
        // #endregion

        Assert.Equal(0xFF000BB7u, image[3999, 2999])

    [<Fact>]
    member _.``Bands and a result``() =
        use grey = allocator.Rent<byte>(1003, 777)
        grey.Fill 2uy

        // #region docs/languages.md
        let total =
            grey.ProcessPixelRowsInParallel(
                0L,
                (fun band start ->
                    let mutable sum = start

                    for y in 0 .. band.Height - 1 do
                        for pixel in band.GetRowSpan y do
                            sum <- sum + int64 pixel

                    sum),
                (fun first second -> first + second)
            )
        // #endregion

        Assert.Equal(2L * 1003L * 777L, total)

    [<Fact>]
    member _.``A wait for the budget``() : Task =
        let body = new MemoryStream(Array.create (640 * 480 * 4) 7uy)

        let read () =
            // #region docs/languages.md
            task {
                use! photo = allocator.RentAsync<uint32>(640, 480)
                do! photo.ReadFromAsync body
                return photo[639, 479]
            }
        // #endregion

        task {
            let! last = read ()
            Assert.Equal(0x07070707u, last)
        }

    [<Fact>]
    member _.``A function that takes a span``() =
        use image = allocator.Rent<uint32>(640, 480)
        image.Fill 3u
        image[639, 479] <- 9u

        // #region docs/languages.md
        image.ProcessPixelRows(fun rows ->
            for row in rows do
                row[0] <- Levels.brightest row)
        // #endregion

        Assert.Equal((3u, 9u), (image[0, 0], image[0, 479]))

    [<Fact>]
    member _.``An address``() =
        // #region docs/languages.md
        use frame = allocator.Rent<uint32>(1920, 1080, AllocationOptions.Contiguous ||| AllocationOptions.Clean)
        use pixels = frame.Pin()
        Marshal.WriteInt32(pixels.Address, pixels.Stride, 7)
        // #endregion

        Assert.Equal(7u, frame[0, 1])
