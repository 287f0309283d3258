namespace NativeLibraries.Tests.LibVips;

/// <summary>GObject's variant. Zero before it is initialized.</summary>
internal struct GValue
{
    /// <summary>G_TYPE_DOUBLE.</summary>
    public const nuint Double = 15 << 2;

#pragma warning disable CS0169, IDE0044, IDE0051 // only its size matters
    private nuint _type;
    private ulong _data;
    private ulong _moreData;
#pragma warning restore CS0169, IDE0044, IDE0051
}
