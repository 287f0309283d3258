using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;

namespace ThumbnailService.Load.Firing;

/// <summary>One of the clients that send at the same time: the next photo as soon as the thumbnail of the last one has come.</summary>
internal sealed class Worker(HttpClient client, IReadOnlyList<Target> targets, RequestLog log, TimeProvider time)
{
    /// <param name="next">Gives the number of the next request, or none when there are no more.</param>
    /// <param name="end">Ends the work early.</param>
    public async Task RunAsync(Func<int?> next, RunEnd end)
    {
        while (!end.Token.IsCancellationRequested && next() is { } number)
        {
            long sent = time.GetTimestamp();
            try
            {
                await SendAsync(targets[number % targets.Count], sent, end.Token);
            }
            catch (HttpRequestException problem) when (problem.InnerException is not SocketException { SocketErrorCode: SocketError.ConnectionRefused })
            {
                log.AddFailed(sent, "connection broken");
            }
            catch (HttpRequestException)
            {
                await end.ServiceIsGoneAsync();
                log.AddFailed(sent, end.Reason);
            }
            catch (OperationCanceledException)
            {
                log.AddFailed(sent, end.Reason);
            }
        }
    }

    private async Task SendAsync(Target target, long sent, CancellationToken cancellation)
    {
        using var photo = new ByteArrayContent(target.File);
        photo.Headers.ContentType = new MediaTypeHeaderValue("image/jpeg");
        using HttpResponseMessage response = await client.PostAsync("thumbnail", photo, cancellation);
        byte[] body = await response.Content.ReadAsByteArrayAsync(cancellation);
        if (response.StatusCode != HttpStatusCode.OK)
        {
            log.AddFailed(sent, Refusal.Of(response, body));
        }
        else if (!target.Accepts(body))
        {
            log.AddFailed(sent, "another thumbnail than before");
        }
        else
        {
            log.AddServed(sent, target.Pixels);
        }
    }
}
