using PixelPool.Published;

// What reflection or the trimmer could break: everything that names methods, types or instruments. The rest is the same code in every kind of program.
var checks = new Checks();
checks.Run("leaks name the method that rented", LeakReports.ForgottenImageIsNamed);
checks.Run("what is held is listed with the method that holds it", LeakReports.HeldIsListed);
checks.Run("views and pins that hold memory are named", LeakReports.HolderIsNamed);
checks.Run("a tracker names what a test forgot", LeakReports.TrackerNamesIt);
checks.Run("events arrive with all their values", Telemetry.EventsArrive);
checks.Run("instruments are measured", Telemetry.InstrumentsAreMeasured);
checks.Run("a recording is drawn", Telemetry.RecordingIsDrawn);
checks.Run("native code releases what it was given, once", NativeCode.ReleasesOnce);
checks.Run("objects of one size share the budget of images", Objects.ShareTheBudget);
checks.Run("settings of the process are read", Configuration.SettingsAreRead);
checks.Run("a container makes allocators by name, and refuses bad options", Configuration.ContainerMakesThem);
checks.Run("a section of configuration sets options by name, and what is wrong in it is refused", Configuration.SectionsAreBoundWithoutReflection);
return checks.Finish();
