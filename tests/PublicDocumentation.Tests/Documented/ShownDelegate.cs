namespace PublicDocumentation.Tests.Documented;

/// <summary>shown</summary>
public delegate TResult ShownDelegate<in T, out TResult>(T a)
    where T : allows ref struct;
