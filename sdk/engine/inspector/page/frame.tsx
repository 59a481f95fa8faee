import { editorLink } from './editor-link.js'
import { useLive } from './live.js'

/** A place in the program's code; with `dev` a link that opens it in the editor. */
export function Frame({ frame }: { frame: string }) {
  const { overview } = useLive()
  const address = overview?.dev && editorLink(frame, overview.dev)
  if (address === undefined) return frame
  return <a href={address}>{frame}</a>
}
