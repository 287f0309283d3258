namespace LoadResizeSave.Reporting;

/// <summary>Tells whoever is watching how far the work is.</summary>
internal interface IProgressDisplay
{
    /// <summary>Runs <paramref name="work"/>, which reports the pixels of each of its <paramref name="steps"/> when it is done.</summary>
    void Show(string title, int steps, Action<IProgress<long>> work);

    /// <summary>Says something to a person, at any time, from any thread.</summary>
    void Say(string text);
}
