using System.Text;

namespace PixelPool.Trimming;

/// <summary>
/// Finds the folders of the process' memory control group and of its parents, from <c>/proc/self/cgroup</c> and <c>/proc/self/mountinfo</c>
/// (formats: cgroups(7) and proc_pid_mountinfo(5)).
/// </summary>
internal static class ControlGroupLocator
{
    /// <param name="cgroups">Text of <c>/proc/self/cgroup</c>.</param>
    /// <param name="mounts">Text of <c>/proc/self/mountinfo</c>.</param>
    /// <param name="isVersion2">
    /// Which version's. A process is in one hierarchy of each; on a hybrid system only one of them controls memory, and the other has no limit files.
    /// </param>
    /// <returns>Folders, the innermost group first.</returns>
    public static List<string> Locate(string cgroups, string mounts, bool isVersion2)
    {
        var folders = new List<string>();
        if (FindGroup(cgroups, isVersion2) is { } group && FindMount(mounts, isVersion2) is { } mount)
        {
            string mountPoint = Unescape(mount[4]);
            string path = Relative(group, Unescape(mount[3])).TrimEnd('/');
            while (path.Length > 0 && path[0] == '/' && !path.StartsWith("/..", StringComparison.Ordinal))
            {
                folders.Add(mountPoint + path);
                path = path.Substring(0, path.LastIndexOf('/'));
            }

            folders.Add(mountPoint);
        }

        return folders;
    }

    // Lines are "hierarchy:controllers:path"; version 2 has no controllers.
    private static string? FindGroup(string cgroups, bool isVersion2)
    {
        string[][] lines = Array.ConvertAll(cgroups.Split('\n'), static line => line.Split([':'], 3));
        return Array.Find(lines, parts => parts.Length == 3 && (isVersion2 ? parts[1].Length == 0 : HasMemory(parts[1])))?[2];
    }

    // "id parent device root mount-point options [fields] - type source super-options": what is before the minus.
    private static string[]? FindMount(string mounts, bool isVersion2)
    {
        foreach (string line in mounts.Split('\n'))
        {
            string[] parts = line.Split([" - "], 2, StringSplitOptions.None);
            string[] fields = parts[0].Split(' ');
            if (parts.Length == 2 && fields.Length > 4 && IsOfGroups(parts[1].Split(' '), isVersion2))
            {
                return fields;
            }
        }

        return null;
    }

    private static bool IsOfGroups(string[] system, bool isVersion2) =>
        isVersion2 ? system[0] == "cgroup2" : system[0] == "cgroup" && system.Length > 2 && HasMemory(system[2]);

    private static bool HasMemory(string controllers) => Array.IndexOf(controllers.Split(','), "memory") >= 0;

    // Inside a container the mount may show only the container's own group, whose path the process still sees from outside.
    private static string Relative(string group, string root) =>
        root == "/" ? group : group.StartsWith(root, StringComparison.Ordinal) ? group.Substring(root.Length) : string.Empty;

    // Blanks and backslashes stand there as three octal digits. Who imitates these files may not know that: then a backslash is one.
    private static string Unescape(string field)
    {
        var text = new StringBuilder(field.Length);
        for (int i = 0; i < field.Length; i++)
        {
            bool isEscaped = field[i] == '\\' && i + 3 < field.Length && IsOctal(field[i + 1]) && IsOctal(field[i + 2]) && IsOctal(field[i + 3]);
            text.Append(isEscaped ? (char)Convert.ToInt32(field.Substring(i + 1, 3), 8) : field[i]);
            i += isEscaped ? 3 : 0;
        }

        return text.ToString();
    }

    private static bool IsOctal(char c) => c is >= '0' and <= '7';
}
