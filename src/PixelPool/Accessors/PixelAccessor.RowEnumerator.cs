namespace PixelPool;

// Rows in order.
public readonly unsafe ref partial struct PixelAccessor<TPixel>
{
    /// <summary>Gives the rows of an accessor from the first to the last.</summary>
    public ref struct RowEnumerator
    {
        private readonly PixelAccessor<TPixel> _accessor;
        private int _y = -1;

        internal RowEnumerator(PixelAccessor<TPixel> accessor) => _accessor = accessor;

        /// <summary>The pixels of the current row.</summary>
        public readonly Span<TPixel> Current => _accessor.GetRowSpan(_y);

        /// <summary>Goes to the next row.</summary>
        /// <returns>False after the last one.</returns>
        public bool MoveNext() => ++_y < _accessor.Height;
    }
}
