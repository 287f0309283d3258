namespace PixelPool.Tests.ModelBased;

/// <summary>What is tested, new for each sequence, and beside it the model that says what must come out.</summary>
internal abstract class Subject<TAct> : IDisposable
    where TAct : struct, Enum
{
    /// <summary>Does a command to both, and fails where they differ.</summary>
    public abstract void Do(Command<TAct> command);

    /// <summary>Fails unless everything that lives has the content that the model says, and all accounts are exact.</summary>
    public abstract void Check();

    /// <summary>Returns everything, and fails unless nothing is left: nothing rented, charged or waiting.</summary>
    public abstract void End();

    /// <summary>Lets go of everything, also after a failure. Fails never.</summary>
    public abstract void Dispose();
}
