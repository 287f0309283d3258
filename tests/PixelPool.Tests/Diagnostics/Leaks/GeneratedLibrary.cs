using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using PixelPool.Diagnostics;
using Rental = System.Func<int, PixelPool.AllocationOptions, System.Buffers.IMemoryOwner<byte>>;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>An assembly that calls what it is given: its class <c>Caller</c> has one method that rents and one that calls another library.</summary>
internal sealed class GeneratedLibrary
{
    private readonly Type _caller;

    /// <param name="name">Of the assembly, and the namespace.</param>
    /// <param name="rentsFor">For each an attribute; null for itself.</param>
    public GeneratedLibrary(string name, params string?[] rentsFor)
    {
        var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(name), AssemblyBuilderAccess.Run);
        ConstructorInfo attribute = typeof(RentsForCallersAttribute).GetConstructor([typeof(string)])!;
        foreach (string? other in rentsFor)
        {
            assembly.SetCustomAttribute(new CustomAttributeBuilder(attribute, [other]));
        }

        _caller = DefineCaller(assembly.DefineDynamicModule(name), name);
    }

    private GeneratedLibrary(Type caller) => _caller = caller;

    /// <summary>One with an attribute whose type cannot be loaded: its assembly is not there.</summary>
    public static GeneratedLibrary WithLostAttribute(string name)
    {
        var lost = new PersistedAssemblyBuilder(new AssemblyName($"{name}.Lost"), typeof(object).Assembly);
        TypeBuilder attribute = lost.DefineDynamicModule($"{name}.Lost").DefineType("LostAttribute", TypeAttributes.Public, typeof(Attribute));
        ConstructorBuilder constructor = attribute.DefineDefaultConstructor(MethodAttributes.Public);
        attribute.CreateType();

        var assembly = new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly);
        assembly.SetCustomAttribute(new CustomAttributeBuilder(constructor, []));
        DefineCaller(assembly.DefineDynamicModule(name), name);
        using var file = new MemoryStream();
        assembly.Save(file);
        file.Position = 0;
        return new GeneratedLibrary(AssemblyLoadContext.Default.LoadFromStream(file).GetType($"{name}.Caller")!);
    }

    private static Type DefineCaller(ModuleBuilder module, string name)
    {
        TypeBuilder type = module.DefineType($"{name}.Caller", TypeAttributes.Public);
        Define(type, "Rent", typeof(Rental), static il =>
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldc_I4, 50_000);
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Callvirt, typeof(Rental).GetMethod("Invoke")!);
        });
        Define(type, "CallOn", typeof(Func<object>), static il =>
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Callvirt, typeof(Func<object>).GetMethod("Invoke")!);
        });
        Define(type, "CallOnByReflection", typeof(Func<object>), static il =>
        {
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Ldnull);
            il.Emit(OpCodes.Callvirt, typeof(Delegate).GetMethod(nameof(Delegate.DynamicInvoke))!);
        });
        return type.CreateType();
    }

    /// <summary>Rents, called by nothing but its caller.</summary>
    public Func<object> Rent(PixelAllocator allocator) => Bind("Rent", (Rental)allocator.Allocate<byte>);

    /// <summary>Calls what another library made.</summary>
    public Func<object> CallOn(Func<object> inner) => Bind("CallOn", inner);

    /// <summary>As <see cref="CallOn"/>, with frames of the base library between the two.</summary>
    public Func<object> CallOnByReflection(Func<object> inner) => Bind("CallOnByReflection", inner);

    private Func<object> Bind(string method, Delegate argument) => _caller.GetMethod(method)!.CreateDelegate<Func<object>>(argument);

    private static void Define(TypeBuilder type, string name, Type parameter, Action<ILGenerator> call)
    {
        ILGenerator il = type.DefineMethod(name, MethodAttributes.Public | MethodAttributes.Static, typeof(object), [parameter]).GetILGenerator();
        il.DeclareLocal(typeof(object));
        call(il);
        il.Emit(OpCodes.Stloc_0);

        // Not its last call: the compiler would leave its frame out.
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(GC).GetMethod(nameof(GC.KeepAlive))!);
        il.Emit(OpCodes.Ldloc_0);
        il.Emit(OpCodes.Ret);
    }
}
