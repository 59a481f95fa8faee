import type { FrameWriter } from './frame-writer.js'
import { maxHeaderListBytes } from './header-list.js'
import { setting } from './protocol.js'
import { type ReceiveWindows, streamWindow } from './receive-windows.js'

/** Sends the first frames of a client: the preface, its settings, and its receive window. */
export function greet(writer: FrameWriter, windows: ReceiveWindows): void {
  writer.preface()
  writer.settings([
    [setting.enablePush, 0],
    [setting.initialWindowSize, streamWindow],
    [setting.maxHeaderListSize, maxHeaderListBytes],
  ])
  windows.announce()
  writer.flush()
}
