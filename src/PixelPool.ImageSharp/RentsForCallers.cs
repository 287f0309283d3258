using PixelPool.Diagnostics;

// Leak reports name the line of the application: neither this adapter nor ImageSharp is where an image was forgotten.
[assembly: RentsForCallers]
[assembly: RentsForCallers("SixLabors.ImageSharp")]
