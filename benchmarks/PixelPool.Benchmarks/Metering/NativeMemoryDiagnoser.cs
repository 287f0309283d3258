using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

namespace PixelPool.Benchmarks.Metering;

/// <summary>
/// What the diagnoser of managed memory cannot see. Resident memory is read from outside, when the process of the benchmark stands still
/// after its last round; native bytes and page faults per operation are counted inside of it, by <see cref="RunMeter"/>. So are managed bytes: that
/// diagnoser looks at one round only, allocates in it, and takes less than 8 KiB for nothing on runtimes that this release does not know.
/// </summary>
internal sealed class NativeMemoryDiagnoser(MeterFile file) : IDiagnoser
{
    public IEnumerable<string> Ids => [nameof(NativeMemoryDiagnoser)];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) => RunMode.NoOverhead;

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        switch (signal)
        {
            case HostSignal.BeforeAnythingElse:
                file.Empty();
                break;
            case HostSignal.AfterActualRun when OperatingSystem.IsLinux():
                ReadResidentMemory(parameters.Process.Id);
                break;
        }
    }

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        Dictionary<string, double> figures = file.Read();
        return [.. Figure.All.Where(figure => figures.ContainsKey(figure.Id)).Select(figure => new Metric(figure, figures[figure.Id]))];
    }

    public void DisplayResults(ILogger logger)
    {
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];

    private void ReadResidentMemory(int processId)
    {
        foreach (string line in File.ReadLines($"/proc/{processId}/status"))
        {
            string[] words = line.Split((char[])[':', ' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
            Figure? figure = words[0] switch
            {
                "VmRSS" => Figure.ResidentBytes,
                "VmHWM" => Figure.PeakBytes,
                _ => null,
            };
            if (figure is not null)
            {
                file.Append(figure.Id, long.Parse(words[1]) * 1024);
            }
        }
    }
}
