using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ThumbnailService.Tests.Infrastructure;

/// <summary>One connection, for what clients of a library do not do: stop in the middle, or insist on the same connection.</summary>
internal sealed class RawConnection : IAsyncDisposable
{
    /// <summary>Only a failure reaches it.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly NetworkStream _stream;
    private readonly CancellationToken _cancellation = TestContext.Current.CancellationToken;

    private RawConnection(Socket socket) => _stream = new NetworkStream(socket, ownsSocket: true);

    public static async Task<RawConnection> OpenAsync(Uri address)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(address.Host, address.Port, TestContext.Current.CancellationToken);
        return new RawConnection(socket);
    }

    /// <summary>Sends a whole file and reads the answer, so that the connection is ready for the next one.</summary>
    public async Task<HttpStatusCode> SendAsync(byte[] file)
    {
        await SendSomeAsync(file, file.Length);
        return await ReadAnswerAsync();
    }

    public async Task<HttpStatusCode> ReadAnswerAsync()
    {
        using var reader = new StreamReader(_stream, Encoding.Latin1, leaveOpen: true);
        string status = await ReadLineAsync(reader);
        int length = 0;
        while (await ReadLineAsync(reader) is { Length: > 0 } header)
        {
            if (header.StartsWith("Content-Length:", StringComparison.OrdinalIgnoreCase))
            {
                length = int.Parse(header.AsSpan("Content-Length:".Length), CultureInfo.InvariantCulture);
            }
        }

        await reader.ReadBlockAsync(new char[length], _cancellation).AsTask().WaitAsync(s_limit, _cancellation);
        return (HttpStatusCode)int.Parse(status.Split(' ')[1], CultureInfo.InvariantCulture);
    }

    /// <summary>Announces a file of a length and sends its beginning.</summary>
    public async Task SendSomeAsync(byte[] beginning, int length)
    {
        await _stream.WriteAsync(Encoding.ASCII.GetBytes($"POST /thumbnail HTTP/1.1\r\nHost: test\r\nContent-Length: {length}\r\n\r\n"), _cancellation);
        await _stream.WriteAsync(beginning, _cancellation);
    }

    /// <summary>Nothing more will come, but an answer can.</summary>
    public void EndSending() => _stream.Socket.Shutdown(SocketShutdown.Send);

    /// <summary>Waits until the service closes the connection: with an answer, or, where it has not read all that was sent, with a reset.</summary>
    public async Task WaitForTheEndAsync()
    {
        try
        {
            await _stream.CopyToAsync(Stream.Null, _cancellation).WaitAsync(s_limit, _cancellation);
        }
        catch (IOException e) when (e.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset })
        {
        }
    }

    public ValueTask DisposeAsync() => _stream.DisposeAsync();

    private async Task<string> ReadLineAsync(StreamReader reader) =>
        await reader.ReadLineAsync(_cancellation).AsTask().WaitAsync(s_limit, _cancellation) ?? throw new EndOfStreamException("The service closed the connection.");
}
