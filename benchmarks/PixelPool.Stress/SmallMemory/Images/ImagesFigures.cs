namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>What came out of the measured rounds. Resident memory is that of the whole process, in bytes.</summary>
/// <param name="RoundSeconds">The mean of the rounds; a round takes as long as its slowest thread.</param>
/// <param name="LaterRoundSeconds">The median of the rounds that came after them, when nothing is missing; null where there were none.</param>
/// <param name="PeakResident">The highest.</param>
/// <param name="ResidentReturned">After the last round: everything is returned, and the threads are still there.</param>
/// <param name="ResidentTrimmed">After idle memory was given back as well; null for who can not be asked to.</param>
internal sealed record ImagesFigures(double RoundSeconds, double? LaterRoundSeconds, long PeakResident, long ResidentReturned, long? ResidentTrimmed);
