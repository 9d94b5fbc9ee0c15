/** Writes a file whole or not at all: a reader, or a crash, never meets half of it. */
import { open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../base/errors.ts';

/** Makes the new name itself last through a power cut, where the system can do that for a directory. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code); // reading a property of whatever was thrown is safe
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(code)) throw error;
  }
}

/**
 * Writes to a new file beside the target, brings it to disk, and renames it over the target.
 * @throws UsageError `bad-option` when that cannot be done; the target is then as it was
 */
export async function writeFileAtomically(path: string, text: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${process.pid}-${Date.now()}.ton-finality.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => {}); // it may not be there any more, or never was
    const code = String((error as NodeJS.ErrnoException).code); // reading a property of whatever was thrown is safe
    throw new UsageError('usage/bad-option', `cannot be written (${code})`, { path, cause: error });
  }
}
