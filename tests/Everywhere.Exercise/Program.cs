using Everywhere.Exercise;
using PixelPool.Diagnostics;

[assembly: RentsForCallers("Everywhere.Wrapper")]

// The public API, wherever a program can run. With arguments: one hard situation, which a script has made.
Console.WriteLine(Platform.Describe());
var checks = new Checks();
if (args.Length > 0)
{
    return Situations.Run(checks, args);
}

checks.Run("each kind of memory keeps its pixels, and rows have their places", Rents.EachKindOfMemoryKeepsItsPixels);
checks.Run("what does not fit the pool is taken beside it", Rents.WhatDoesNotFitThePoolIsTakenBesideIt);
checks.Run("every way to rent gives memory", Rents.EveryWayToRentGivesMemory);
checks.Run("clean memory is clean", Rents.CleanMemoryIsClean);
checks.Run("the shared allocator serves", Rents.TheSharedAllocatorServes);
checks.Run("threads get memory of their own", Rents.ThreadsGetMemoryOfTheirOwn);
checks.Run("leases: every member works", Leases.EveryMemberWorks);
checks.Run("delegates are called", Delegates.AreCalled);
checks.Run("delegates return results", Delegates.ReturnResults);
checks.Run("delegates run in parallel", Delegates.RunInParallel);
checks.Run("results of bands are combined", Delegates.CombineResultsOfBands);
checks.Run("bands write every pixel once", Delegates.BandsWriteEveryPixelOnce);
checks.Run("filters read neighbour rows", Delegates.FiltersReadNeighbours);
checks.Run("read-only images are read", Delegates.ReadOnlyImagesAreRead);
checks.Run("views, casts and planes share memory, and keep it", Views.ShareMemoryAndKeepIt);
checks.Run("images are copied", Views.AreCopied);
checks.Run("spans are where the rows are", Views.SpansAreWhereTheRowsAre);
checks.Run("pins hold the memory", Pins.HoldTheMemory);
checks.Run("pixels are given to native code", Pins.AreGivenToNativeCode);
checks.Run("memory of others is an image", Pins.MemoryOfOthersIsAnImage);
checks.Run("native code releases what it was given, once", NativeCode.ReleasesOnce);
checks.Run("planes have their layouts", Planes.HaveTheirLayouts);
checks.Run("planes are rented in every way", Planes.AreRentedInEveryWay);
checks.Run("streams carry images", Streams.CarryImages);
checks.Run("streams are rented", Streams.AreRented);
checks.Run("rents of a scope end together", Scopes.EndTogether);
checks.Run("scopes have budgets of their own", Scopes.HaveBudgetsOfTheirOwn);
checks.Run("a budget refuses what does not fit", Budgets.RefuseWhatDoesNotFit);
checks.Run("a budget lets in who waits, and long waits are told", Budgets.LetInWhoWaits);
checks.Run("a budget wakes threads", Budgets.WakeThreads);
checks.Run("waits end by time and by cancellation", Budgets.EndWaits);
checks.Run("interrupts end waits only", Budgets.InterruptsEndWaitsOnly, Platform.NoInterrupts);
checks.Run("resident memory falls", Trimming.ResidentMemoryFalls, Platform.ResidentBytes() is null ? "the system does not tell what is resident" : null);
checks.Run("statistics add up", Trimming.StatisticsAddUp);
checks.Run("the default pool holds several images", Trimming.TheDefaultPoolHoldsSeveralImages);
checks.Run("pools give blocks", Trimming.PoolsGiveBlocks);
checks.Run("second disposals do nothing", Misuse.SecondDisposalsDoNothing);
checks.Run("sizes that overflow are refused", Misuse.SizesThatOverflowAreRefused);
checks.Run("options are checked", Options.AreChecked);
checks.Run("options are kept", Options.AreKept);
checks.Run("disposed allocators refuse", Misuse.DisposedAllocatorsRefuse);
checks.Run("guarded rents end at a page", Misuse.GuardedRentsEndAtAPage);
checks.Run("objects of one size share the budget of images", Objects.ShareTheBudget);
checks.Run("objects of one size come from every supply", Objects.ComeFromEverySupply);
checks.Run("leaks name the method that rented", LeakReports.ForgottenImageIsNamed);
checks.Run("what is held is listed with the method that holds it", LeakReports.HeldIsListed);
checks.Run("views and pins that hold memory are named", LeakReports.HolderIsNamed);
checks.Run("a tracker names what a test forgot", LeakReports.TrackerNamesIt);
checks.Run("a library says that it rents for its callers", LeakReports.WrappersAreNamed);
checks.Run("a recording is drawn", Recordings.AreDrawn);
#if NET
checks.Run("events arrive with all their values", Telemetry.EventsArrive);
checks.Run("instruments are measured", Telemetry.InstrumentsAreMeasured);
checks.Run("a container's instruments are measured", Telemetry.FactoriesMakeMeters);
checks.Run("settings of the process are read", Configuration.SettingsAreRead, Configuration.NoSettings);
checks.Run("a container makes allocators by name, and refuses bad options", Configuration.ContainerMakesThem);
checks.Run("a section of configuration sets options by name, and what is wrong in it is refused", Configuration.SectionsAreBoundWithoutReflection);
#endif
return checks.Finish();
