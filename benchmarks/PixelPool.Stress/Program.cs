using PixelPool.Stress.CommandLine;

return StressCommand.Create().Parse(args).Invoke();
