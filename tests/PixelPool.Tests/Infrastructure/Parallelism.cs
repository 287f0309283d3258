// A request that finds no memory trims every pool of the process, and a collection reaches every pool's trimming: tests that count blocks run one by one.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
