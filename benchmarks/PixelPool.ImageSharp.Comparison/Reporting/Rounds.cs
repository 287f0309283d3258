using ImageSharp.Comparison.Work;

namespace ImageSharp.Comparison.Reporting;

/// <summary>The results of all rounds of one job with one version of ImageSharp.</summary>
internal sealed class Rounds
{
    private readonly Dictionary<Contender, List<JobResult>> _results = [];

    private Rounds()
    {
    }

    public string ImageSharp => _results[Contender.Default][0].ImageSharp;

    /// <summary>What was timed, in its order.</summary>
    public IEnumerable<string> Names => _results[Contender.Default][0].Costs.Keys;

    /// <summary>Whether everybody made the same, byte for byte.</summary>
    public bool AreAlike => _results.Values.SelectMany(static results => results).Select(static result => result.Hash).Distinct().Count() == 1;

    /// <summary>Every contender once a round, each round beginning with another one.</summary>
    public static Rounds Run(string program, JobKind kind, string photos, int rounds)
    {
        var all = new Rounds();
        Contender[] contenders = Enum.GetValues<Contender>();
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < contenders.Length; i++)
            {
                Contender contender = contenders[(round + i) % contenders.Length];
                all.Of(contender).Add(WorkProcess.Run(program, kind, contender, photos));
            }

            Console.WriteLine($"{Path.GetFileName(Path.GetDirectoryName(program))}: {kind}, round {round + 1} of {rounds}");
        }

        return all;
    }

    /// <summary>The middle one of the rounds.</summary>
    public double Median(Contender contender, Func<JobResult, double> figure)
    {
        double[] figures = [.. Of(contender).Select(figure).Order()];
        return (figures[(figures.Length - 1) / 2] + figures[figures.Length / 2]) / 2;
    }

    /// <summary>The smallest of the rounds.</summary>
    public double Best(Contender contender, Func<JobResult, double> figure) => Of(contender).Min(figure);

    /// <summary>How far the median lies from the best, as a part of that.</summary>
    public double Spread(Contender contender, Func<JobResult, double> figure) => (Median(contender, figure) / Best(contender, figure)) - 1;

    private List<JobResult> Of(Contender contender)
    {
        if (!_results.TryGetValue(contender, out List<JobResult>? results))
        {
            _results[contender] = results = [];
        }

        return results;
    }
}
