// Tests of whole runs read what the sample printed from the output of the test.
[assembly: CaptureConsole]
