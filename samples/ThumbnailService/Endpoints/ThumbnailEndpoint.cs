using Imaging.Codecs;
using PixelPool;
using ThumbnailService.Thumbnails;

namespace ThumbnailService.Endpoints;

/// <summary><c>POST /thumbnail</c>: a JPEG file comes, a small one goes. Every refusal says why.</summary>
internal static class ThumbnailEndpoint
{
    public static async Task<IResult> HandleAsync(HttpContext context, IThumbnails thumbnails)
    {
        if (!ImageCodecs.Jpeg.IsAvailable)
        {
            return Results.Problem("This service needs libjpeg-turbo, which was not found on its computer.", statusCode: StatusCodes.Status501NotImplemented);
        }

        try
        {
            return Results.Bytes(await thumbnails.MakeAsync(context.Request, context.RequestAborted), "image/jpeg");
        }
        catch (InvalidDataException problem)
        {
            return Results.Problem(problem.Message, statusCode: StatusCodes.Status400BadRequest);
        }
        catch (NotSupportedException problem)
        {
            return Results.Problem(problem.Message, statusCode: StatusCodes.Status415UnsupportedMediaType);
        }
        catch (BadHttpRequestException problem)
        {
            return Results.Problem(problem.Message, statusCode: problem.StatusCode);
        }
        catch (PixelBudgetExceededException)
        {
            // More than was reserved, or there is a budget and nobody reserves. What was taken until then went back, too.
            return Results.Problem(
                "This photo takes more memory than there is for it now.", title: nameof(PixelBudgetExceededException), statusCode: StatusCodes.Status503ServiceUnavailable);
        }
        catch (OutOfMemoryException)
        {
            // With a budget a request waits instead. What was taken until then went back on the way here.
            return Results.Problem(
                "There is no memory for this photo now; try again later.", title: nameof(OutOfMemoryException), statusCode: StatusCodes.Status503ServiceUnavailable);
        }
    }
}
