using PixelPool.Diagnostics;

// Lists of what is held name the line of the application that allocated, not what takes a block for it.
[assembly: RentsForCallers]
