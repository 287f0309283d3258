using System.Reflection;
using System.Runtime.CompilerServices;
using System.Xml.Linq;

namespace PixelPool.Testing;

/// <summary>The documentation that is shipped beside an assembly, compared with what reflection sees of that assembly.</summary>
internal sealed class DocumentationFile(Assembly assembly)
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    private readonly XElement[] _entries =
        [.. XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml")).Root!.Element("members")!.Elements("member")];

    private readonly MemberInfo[] _visible = [.. assembly.GetTypes().Where(IsVisible).SelectMany(VisibleMembers)];

    /// <summary>Who has the assembly has these.</summary>
    private readonly Assembly[] _assemblies = [assembly, typeof(object).Assembly, .. assembly.GetReferencedAssemblies().Select(Assembly.Load)];

    public void AssertNothingElseIsExplained() => AssertNone(Explained().Except(_visible.Select(DocumentationId.Of)));

    public void AssertAllIsExplained() => AssertNone(_visible.Where(IsWritten).Select(DocumentationId.Of).Except(Explained()));

    public void AssertLinksLeadSomewhere() => AssertNone(
        from entry in _entries
        from link in entry.Descendants().Attributes("cref")
        where !Leads(link.Value)
        select $"{Name(entry)} shows {link.Value}");

    private static void AssertNone(IEnumerable<string> found) => Assert.True(!found.Any(), string.Join('\n', found));

    private IEnumerable<string> Explained() => _entries.Select(Name);

    private static string Name(XElement entry) => (string)entry.Attribute("name")!;

    private bool Leads(string link) =>
        TypeOf(link) is { } type && IsVisible(type) && VisibleMembers(type).Select(DocumentationId.Of).Contains(link);

    /// <summary>The type that a link names, or the one whose member it names.</summary>
    private Type? TypeOf(string link)
    {
        string name = link[2..].Split('(')[0];
        return Find(name) ?? (name.LastIndexOf('.') is > 0 and int end ? Find(name[..end]) : null);

        Type? Find(string name) => _assemblies.Select(assembly => assembly.GetType(name)).FirstOrDefault(static type => type is not null);
    }

    private static bool IsVisible(Type type) =>
        type.IsPublic || ((type.IsNestedPublic || type.IsNestedFamily || type.IsNestedFamORAssem) && IsVisible(type.DeclaringType!));

    /// <summary>The type itself and what it declares.</summary>
    private static IEnumerable<MemberInfo> VisibleMembers(Type type) =>
        type.GetMembers(Declared).Where(static member => member is not Type && IsVisible(member)).Prepend(type);

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible),
        EventInfo happening => IsVisible(happening.AddMethod!),
        _ => false,
    };

    /// <summary>Whether somebody wrote it, and it says more than what it overrides.</summary>
    private static bool IsWritten(MemberInfo member) => member switch
    {
        Type => true,
        _ when member.IsDefined(typeof(CompilerGeneratedAttribute)) || typeof(Delegate).IsAssignableFrom(member.DeclaringType) => false,
        MethodInfo method => !method.IsSpecialName && method.GetBaseDefinition() == method,
        ConstructorInfo constructor => constructor.GetParameters().Length > 0,
        PropertyInfo property => property.GetAccessors(nonPublic: true)[0] is var accessor && accessor.GetBaseDefinition() == accessor,
        FieldInfo field => !field.IsSpecialName,
        _ => true,
    };
}
