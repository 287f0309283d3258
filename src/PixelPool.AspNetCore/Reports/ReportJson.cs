using System.Text.Json;
using System.Text.Json.Serialization;

namespace PixelPool.AspNetCore.Reports;

/// <summary>Writes a report as JSON, without reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, IgnoreReadOnlyProperties = false)]
[JsonSerializable(typeof(MemoryReport))]
internal sealed partial class ReportJson : JsonSerializerContext;
