Imports System.IO
Imports System.Runtime.InteropServices
Imports PixelPool
Imports Xunit

''' <summary>The examples of docs/languages.md, compiled and run. The tests of the pages compare them with the page.</summary>
Public NotInheritable Class ExampleTests
    Implements IDisposable

    Private ReadOnly _allocator As PixelAllocator = PixelAllocator.Create()

    Public Sub Dispose() Implements IDisposable.Dispose
        Assert.Equal(0L, _allocator.GetStatistics().RentedBytes)
        _allocator.Dispose()
    End Sub

    <Fact>
    Public Sub Rows()
        Assert.Equal(&HFF000BB7UI, LastOfGradient(_allocator))
    End Sub

#Region "docs/languages.md"
    Private Shared Function LastOfGradient(allocator As PixelAllocator) As UInteger
        Using image = allocator.Rent(Of UInteger)(4000, 3000)
            image.ProcessPixelRows(
                Sub(rows)
                    For y = 0 To rows.Height - 1
                        Dim row = rows.GetRowSpan(y)
                        row.Fill(&HFF000000UI Or CUInt(y))
                    Next
                End Sub)

            Return image(3999, 2999)
        End Using
    End Function
#End Region

    <Fact>
    Public Sub Bands_and_a_result()
        Using grey = _allocator.Rent(Of Byte)(1003, 777)
            grey.Fill(2)

#Region "docs/languages.md"
            Dim total = grey.ProcessPixelRowsInParallel(
                0L,
                Function(band, start)
                    Dim sum = start
                    For y = 0 To band.Height - 1
                        Dim row = band.GetRowSpan(y)
                        For x = 0 To row.Length - 1
                            sum += row(x)
                        Next
                    Next
                    Return sum
                End Function,
                Function(first, second) first + second)
#End Region

            Assert.Equal(2L * 1003 * 777, total)
        End Using
    End Sub

    <Fact>
    Public Async Function A_wait_for_the_budget() As Task
        Dim body = New MemoryStream(Enumerable.Repeat(CByte(7), 640 * 480 * 4).ToArray())
        Assert.Equal(&H7070707UI, Await LastOfPhotoAsync(_allocator, body))
    End Function

#Region "docs/languages.md"
    Private Shared Async Function LastOfPhotoAsync(allocator As PixelAllocator, body As Stream) As Task(Of UInteger)
        Using photo = Await allocator.RentAsync(Of UInteger)(640, 480)
            Await photo.ReadFromAsync(body)
            Return photo(639, 479)
        End Using
    End Function
#End Region

    <Fact>
    Public Sub Arrays_and_addresses()
        Using image = _allocator.Rent(Of UInteger)(640, 480, AllocationOptions.Contiguous Or AllocationOptions.Clean)

#Region "docs/languages.md"
            Dim line(image.Width - 1) As UInteger
            image.DangerousGetRowMemory(10).CopyTo(line)
            line(0) = 7
            line.CopyTo(image.DangerousGetRowMemory(11))

            Using pixels = image.Pin()
                Marshal.WriteInt32(pixels.Address, 12 * pixels.Stride, 9)
            End Using
#End Region

            Assert.Equal({0UI, 7UI, 9UI}, {image(0, 10), image(0, 11), image(0, 12)})
        End Using
    End Sub

    ''' <summary>What the page says of lambdas inside of a delegate: the compiler accepts them, the runtime does not.</summary>
    <Fact>
    Public Sub A_lambda_that_captures_rows_fails_when_it_runs()
        Using image = _allocator.Rent(Of UInteger)(640, 480)
            Assert.Throws(Of TypeLoadException)(Sub() ClearLater(image))
        End Using
    End Sub

    Private Shared Sub ClearLater(image As PixelBuffer(Of UInteger))
        image.ProcessPixelRows(
            Sub(rows)
                Dim later As Action = Sub() rows.GetRowSpan(0).Clear()
                later()
            End Sub)
    End Sub

End Class
