using System.Globalization;
using System.Reflection;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>A method whose code can be unloaded, and which the runtime knows by the same number as all others of this kind.</summary>
/// <param name="module">Where it is.</param>
/// <param name="token">Its place in the module.</param>
internal sealed class UnloadableMethod(Module module, int token) : MethodInfo
{
    public override Module Module => module;

    public override int MetadataToken => token;

    public override Type DeclaringType => typeof(UnloadableMethod);

    public override Type ReflectedType => DeclaringType;

    public override string Name => nameof(UnloadableMethod);

    public override MethodAttributes Attributes => default;

    public override RuntimeMethodHandle MethodHandle => throw new NotSupportedException();

    public override ICustomAttributeProvider ReturnTypeCustomAttributes => throw new NotSupportedException();

    public override int GetHashCode() => 1;

    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override MethodInfo GetBaseDefinition() => this;

    public override object[] GetCustomAttributes(bool inherit) => [];

    public override object[] GetCustomAttributes(Type attributeType, bool inherit) => [];

    public override bool IsDefined(Type attributeType, bool inherit) => false;

    public override MethodImplAttributes GetMethodImplementationFlags() => default;

    public override ParameterInfo[] GetParameters() => [];

    public override object Invoke(object? obj, BindingFlags invokeAttr, Binder? binder, object?[]? parameters, CultureInfo? culture) =>
        throw new NotSupportedException();
}
