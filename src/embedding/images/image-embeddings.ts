import { MemsvcError } from "../../operation/errors.ts";
import type { Metrics } from "../../operation/metrics.ts";
import type { LoadedFiles } from "../local/loaded-files.ts";
import type { Subject } from "../local/thread-protocol.ts";
import { chooseImageModel, type ImageModel } from "./choose-image-model.ts";

interface LookOptions {
  /** Whether somebody waits for the answer; then it goes before other work. */
  readonly isQuery: boolean;
  readonly signal?: AbortSignal;
}

/** The image model of a home, chosen by the installed files and loaded at the first use. */
export class ImageEmbeddings {
  readonly #home: string;
  readonly #metrics: Metrics;
  #model: ImageModel | undefined;
  #files: Promise<LoadedFiles> | undefined;

  constructor(home: string, metrics: Metrics) {
    this.#home = home;
    this.#metrics = metrics;
  }

  /** The model in use. While there is none, every access looks again: files may have been installed. */
  get model(): ImageModel | undefined {
    this.#model ??= chooseImageModel(this.#home);
    return this.#model;
  }

  /**
   * The unit vector of an image, or of a text that describes one. Errors: invalid_input for an image that cannot be
   * decoded; unavailable, provider_failed.
   */
  async vectorOf(subject: Subject, { isQuery, signal }: LookOptions): Promise<Float32Array> {
    const { model } = this;
    if (model === undefined) throw new MemsvcError("unavailable", "no image model is installed");
    this.#files ??= openFiles(model.files.folder);
    const files = this.#files;
    return this.#metrics.timed(`embed.${subject.kind}`, async () => {
      const [vectors] = await (await files).ask(
        (host, path, owner) => host.look(path, subject, { isQuery, signal, owner }),
        signal,
      );
      const vector = vectors?.[0];
      if (vector?.length !== model.dimensions) throw otherDimensions(model, vector?.length ?? 0);
      return vector;
    });
  }

  /** Unloads the model. */
  async close(): Promise<void> {
    await (await this.#files)?.close();
  }
}

/** Loads the code for threads only when the model is first used. */
async function openFiles(folder: string): Promise<LoadedFiles> {
  const { LoadedFiles } = await import("../local/loaded-files.ts");
  return new LoadedFiles({ folder });
}

function otherDimensions({ name, dimensions }: ImageModel, made: number): MemsvcError {
  return new MemsvcError(
    "unavailable",
    `the model ${name} makes vectors of ${made} dimensions, not of ${dimensions}`,
    { hint: `install its files again: memsvc models pull ${name} --from <dir>` },
  );
}
