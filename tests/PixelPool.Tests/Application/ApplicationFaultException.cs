namespace PixelPool.Tests.Application;

/// <summary>What an application's code throws in these tests: nothing else throws it.</summary>
internal sealed class ApplicationFaultException(string message) : Exception(message);
