namespace PixelPool.Trimming;

/// <summary>Finds where the process' memory control group and its parents may be, from <c>/proc/self/cgroup</c> (format: cgroups(7)).</summary>
internal static class ControlGroupLocator
{
    /// <param name="cgroups">Lines of <c>/proc/self/cgroup</c>.</param>
    /// <param name="mount">Where the hierarchy is mounted.</param>
    /// <param name="isVersion2">
    /// Which version's. A process is in one hierarchy of each; on a hybrid system only one of them controls memory, and the other has no limit files.
    /// </param>
    /// <returns>Folders, the innermost group first, the mount last: in a container it may be the group itself, and the others are not there.</returns>
    public static List<string> Locate(string[] cgroups, string mount, bool isVersion2)
    {
        var folders = new List<string>(4);
        if (FindGroup(cgroups, isVersion2) is { } group)
        {
            string path = group.TrimEnd('/');
            while (path.Length > 0 && path[0] == '/' && !path.StartsWith("/..", StringComparison.Ordinal))
            {
                folders.Add(mount + path);
                path = path.Substring(0, path.LastIndexOf('/'));
            }

            folders.Add(mount);
        }

        return folders;
    }

    // Lines are "hierarchy:controllers:path"; version 2 has no controllers.
    private static string? FindGroup(string[] cgroups, bool isVersion2)
    {
        string? found = Array.Find(cgroups, line => line.Split([':'], 3) is { Length: 3 } parts && (isVersion2 ? parts[1].Length == 0 : Array.IndexOf(parts[1].Split(','), "memory") >= 0));
        return found?.Split([':'], 3)[2];
    }
}
