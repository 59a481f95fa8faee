import { Frame } from './frame.js'
import { type TextPart, textParts } from './text-parts.js'
import { Time } from './time.js'

/** A sentence with its places in the code as links, and its times as those of the page. */
export function LinkedText({ text }: { text: string }) {
  return (
    <>
      {textParts(text).map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </>
  )
}

function Part({ part }: { part: TextPart }) {
  if ('frame' in part) return <Frame frame={part.frame} />
  return 'atMs' in part ? <Time atMs={part.atMs} mayBeAhead /> : part.text
}
