namespace ThumbnailService.Thumbnails;

/// <summary>Makes the thumbnail of the photo that a request carries.</summary>
internal interface IThumbnails
{
    /// <returns>A JPEG file of some kilobytes, which is all of the request's memory that is left.</returns>
    /// <exception cref="InvalidDataException">The body is no sound JPEG file.</exception>
    /// <exception cref="NotSupportedException">It is one that is not supported here.</exception>
    /// <exception cref="BadHttpRequestException">The request is refused; the exception knows the status.</exception>
    Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation);
}
