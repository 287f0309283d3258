using System.Reflection;
using PixelPool.Accounts;
using PixelPool.Application;
using PixelPool.Configuration;
using PixelPool.Trimming;

namespace PixelPool.Tests.ManagedMemory;

public class FirstRentTests
{
    /// <summary>
    /// A type initializer that fails for lack of memory has failed for good. Lambdas that capture nothing are kept by a type that has one, which is made when the first of them is
    /// needed: by the first rent of a kind.
    /// </summary>
    [Fact]
    public void No_tier_needs_a_type_initializer_for_its_first_rent()
    {
        Type[] types = typeof(PixelAllocator).Assembly.GetTypes();
        Type[] tiers = Array.FindAll(types, static type => type.Namespace == "PixelPool.Tiers" && !type.IsNested && !type.IsAbstract && type.Name.EndsWith("Tier", StringComparison.Ordinal));
        Assert.InRange(tiers.Length, 8, 100);
        Assert.All(tiers, static tier => Assert.DoesNotContain(
            tier.GetNestedTypes(BindingFlags.NonPublic), static nested => nested.Name == "<>c" && nested.TypeInitializer is not null));
    }

    /// <summary>The same of all else that goes on without a delegate of the application. Only reports and measurements may fail for good.</summary>
    [Fact]
    public void Nothing_but_reports_needs_a_type_initializer_after_the_first_allocator_was_made()
    {
        Type[] known = [typeof(MemoryAccounts), typeof(ApplicationTimer), typeof(ProcessSettings), typeof(ControlGroupLocator), typeof(TrimPolicy), typeof(PixelAllocatorOptions)];
        IEnumerable<Type> others = typeof(PixelAllocator).Assembly.GetTypes()
            .Where(static type => type.Name == "<>c" && type.TypeInitializer is not null)
            .Select(static type => type.DeclaringType!)
            .Where(type => !known.Contains(type) && !type.FullName!.StartsWith("PixelPool.Diagnostics", StringComparison.Ordinal));
        Assert.Empty(others);
    }

    /// <summary>The same of the first rent of a process at which a scope looks for what was disposed.</summary>
    [Fact]
    public void No_scope_needs_a_type_initializer_for_its_rents() =>
        Assert.DoesNotContain(typeof(ScopeList<>).GetNestedTypes(BindingFlags.NonPublic), static nested => nested.TypeInitializer is not null);
}
