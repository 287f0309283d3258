using System.Linq.Expressions;
using System.Reflection;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Misuse.Delegates;

/// <summary>
/// A public method that takes a delegate, called with one that does something and looks at the pixels then. Found by reflection, so that no method can be forgotten; built as an expression,
/// because accessors and spans cannot be boxed.
/// </summary>
internal sealed class DelegateCall
{
    private static readonly Type[] s_types = [typeof(PixelBuffer<uint>), typeof(PixelLease<uint>), typeof(ReadOnlyPixelBuffer<uint>)];

    private static readonly ParameterExpression s_subject = Expression.Parameter(typeof(DelegateSubject));
    private static readonly ParameterExpression s_inside = Expression.Parameter(typeof(Action));

    private readonly MethodInfo _method;
    private readonly Lazy<Action<DelegateSubject, Action>> _call;

    private DelegateCall(Type type, MethodInfo method)
    {
        Name = $"{MemberNames.Of(type)}.{MemberNames.Of(method)}";
        _method = method.IsGenericMethod ? method.MakeGenericMethod([.. method.GetGenericArguments().Select(Close)]) : method;
        _call = new Lazy<Action<DelegateSubject, Action>>(Compile);
    }

    public static IReadOnlyList<DelegateCall> All { get; } =
    [
        .. from type in s_types
           from method in type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
           where method.GetParameters().Any(static parameter => IsDelegate(parameter.ParameterType))
           select new DelegateCall(type, method),
    ];

    public string Name { get; }

    /// <summary>Whether the delegate is given single images only where they are in one piece.</summary>
    public bool NeedsOnePiece => _method.Name == nameof(PixelBuffer<uint>.TryProcessSinglePixelSpan);

    /// <summary>Calls it.</summary>
    /// <param name="subject">The images.</param>
    /// <param name="inside">What each delegate does, those that combine results, too.</param>
    public void Run(DelegateSubject subject, Action inside) => _call.Value(subject, inside);

    public override string ToString() => Name;

    private static bool IsDelegate(Type type) => typeof(Delegate).IsAssignableFrom(type);

    // Pixels are numbers, and so are states and results.
    private static Type Close(Type parameter) => parameter.Name is "TState" or "TResult" ? typeof(int) : typeof(uint);

    private Action<DelegateSubject, Action> Compile()
    {
        Expression call = Expression.Call(Subject(_method.DeclaringType!, nameof(DelegateSubject.Image), nameof(DelegateSubject.Lease)), _method, _method.GetParameters().Select(Argument));
        return Expression.Lambda<Action<DelegateSubject, Action>>(call, s_subject, s_inside).Compile();
    }

    private static Expression Argument(ParameterInfo parameter)
    {
        Type type = parameter.ParameterType;
        Type? element = type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>) ? type.GetGenericArguments()[0] : null;
        return element is not null ? Expression.Convert(Expression.NewArrayInit(element, Other(element), Other(element)), type)
            : s_types.Contains(type) ? Other(type)
            : type == typeof(int) ? Expression.Constant(2)
            : IsDelegate(type) ? Body(type)
            : Expression.Default(type);
    }

    private static Expression Other(Type type) => Subject(type, nameof(DelegateSubject.Other), nameof(DelegateSubject.OtherLease));

    private static Expression Subject(Type type, string image, string lease) =>
        type == typeof(PixelLease<uint>) ? Expression.Property(s_subject, lease) : Expression.Convert(Expression.Property(s_subject, image), type);

    // Does it, and looks at all pixels that it was given.
    private static LambdaExpression Body(Type type)
    {
        MethodInfo invoke = type.GetMethod("Invoke")!;
        ParameterExpression[] parameters = [.. invoke.GetParameters().Select(static parameter => Expression.Parameter(parameter.ParameterType))];
        var steps = new List<Expression> { Expression.Invoke(s_inside) };
        foreach (ParameterExpression pixels in parameters)
        {
            if (typeof(DelegatePixels).GetMethod(nameof(DelegatePixels.AssertHold), [pixels.Type]) is { } assert && pixels.Type.IsByRefLike)
            {
                steps.Add(Expression.Call(assert, pixels));
            }
        }

        steps.Add(Expression.Default(invoke.ReturnType));
        return Expression.Lambda(type, Expression.Block(steps), parameters);
    }
}
