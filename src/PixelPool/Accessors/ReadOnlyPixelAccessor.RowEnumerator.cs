namespace PixelPool;

// Rows in order.
public readonly ref partial struct ReadOnlyPixelAccessor<TPixel>
{
    /// <summary>Gives the rows of an accessor from the first to the last.</summary>
    public ref struct RowEnumerator
    {
        private PixelAccessor<TPixel>.RowEnumerator _rows;

        internal RowEnumerator(PixelAccessor<TPixel>.RowEnumerator rows) => _rows = rows;

        /// <summary>The pixels of the current row.</summary>
        public readonly ReadOnlySpan<TPixel> Current => _rows.Current;

        /// <summary>Goes to the next row.</summary>
        /// <returns>False after the last one.</returns>
        public bool MoveNext() => _rows.MoveNext();
    }
}
