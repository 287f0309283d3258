namespace PixelPool.Configuration;

/// <summary>
/// The name of an allocator among the services of an application: one package registers it beside the allocator, another one looks for it, and neither needs the
/// other. Before .NET 10 containers do not say which keys they have.
/// </summary>
internal sealed class RegisteredName(string name)
{
    public string Name => name;
}
