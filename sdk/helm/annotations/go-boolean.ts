const texts: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, boolean] => [text, false]),
])

/** A boolean as Go's `strconv.ParseBool` reads it; undefined if it is not one. */
export const parseGoBoolean = (text: string): boolean | undefined => texts.get(text)
