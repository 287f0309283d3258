namespace Languages.FSharp

open System

// #region docs/languages.md
module Levels =

    let brightest (row: Span<uint32>) =
        let mutable most = 0u

        for pixel in row do
            most <- max most pixel

        most
// #endregion
