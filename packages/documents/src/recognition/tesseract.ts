import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { withTurn } from '../pdf/picture-turn.js';
import { gunzip } from 'node:zlib';

/** The used part of `tesseract.js-core`, Tesseract compiled to WebAssembly. */
export interface TesseractModule {
  readonly FS: { writeFile(path: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
  readonly OSResults: new () => DetectedScript;
}

/** The result of Tesseract's detection of orientation and script. */
interface DetectedScript {
  readonly best_result: {
    /** Counterclockwise quarter turns that make the page upright. */
    readonly orientation_id: number;
    readonly oconfidence: number;
    readonly script_id: number;
    readonly sconfidence: number;
  };
  readonly unicharset: { get_script_from_script_id(id: number): string };
}

interface TesseractApi {
  /** @returns 0 on success */
  Init(dataPath: null, languages: string, engine: number): number;
  /**
   * Reads the file `/input` and turns its picture.
   *
   * @param orientation as in EXIF
   * @param angle in radians
   * @returns 0 on success
   */
  SetImageFile(orientation: number, angle: number): number;
  SetPageSegMode(mode: number): void;
  /** @returns whether there are enough letters */
  DetectOS(results: DetectedScript): boolean;
  GetPageSegMode(): number;
  FindLines(): void;
  /** The slope of the lines that `FindLines` has found, in radians. */
  GetGradient(): number;
  Recognize(monitor: null): number;
  MeanTextConf(): number;
  GetTSVText(page: number): string;
  Clear(): void;
}

/** Compressed language data of Tesseract: name, and path of the file. */
export type LanguageFiles = Readonly<Record<string, string>>;

const require = createRequire(import.meta.url);
const CORE = 'tesseract.js-core/tesseract-core-simd-lstm';
const LSTM_ENGINE = 1;
const GZIP = 0x1f_8b;
/** Finds as much text as possible, without a layout. */
const SPARSE_TEXT = 11;
/** One block of vertical text. */
const VERTICAL_BLOCK = 5;
export const VERTICAL_DATA = /_vert$/;
export const INPUT = '/input';

/** EXIF's values for a picture turned by 0, 90, 180 and 270 degrees clockwise. */
const TURNS: readonly number[] = [1, 6, 3, 8];
/** In radians: 0.3 degrees. */
const MIN_SLOPE = 0.005;

/** By their languages, the last one used last. Each needs about 100 MB. */
const opened = new Map<string, Promise<Tesseract>>();
const MAX_OPENED = 2;

/** The engine for these languages. The last two are kept in memory. */
export function openTesseract(files: LanguageFiles): Promise<Tesseract> {
  const languages = Object.keys(files).join('+');
  const engine = opened.get(languages) ?? Tesseract.open(files);
  opened.delete(languages);
  opened.set(languages, engine);
  const [oldest] = opened.keys();
  if (opened.size > MAX_OPENED && oldest !== undefined) opened.delete(oldest);
  return engine;
}

/** @param core name of a build of `tesseract.js-core` @param files language data to load into its file system */
export async function loadCore(core: string, files: LanguageFiles): Promise<TesseractModule> {
  const load = require(`${core}.js`) as (options: object) => Promise<TesseractModule>;
  const module = await load({
    wasmBinary: await readFile(require.resolve(`${core}.wasm`)),
    TesseractProgress: () => undefined,
    print: () => undefined,
    printErr: () => undefined,
  });
  for (const [name, path] of Object.entries(files)) {
    const data = await readFile(path);
    // Data for the programs of the system is not compressed.
    const isCompressed = data.readUInt16BE(0) === GZIP;
    module.FS.writeFile(`${name}.traineddata`, isCompressed ? await promisify(gunzip)(data) : data);
  }
  return module;
}

export interface ReadPage {
  /** Tesseract's tab-separated values. */
  readonly table: string;
  /** Mean confidence of the words, in percent. */
  readonly confidence: number;
}

export interface ReadOptions {
  /** As in EXIF: how to turn the picture before it is read. */
  readonly orientation: number;
  /** Whether the picture is part of a document: its text can be anywhere, as in diagrams and photos. */
  readonly isEmbedded: boolean;
  /** Clockwise turns by 90 degrees that come after that orientation. Default: 0. */
  readonly quarters?: number;
}

/** Tesseract in this process. It blocks the event loop for seconds. */
class Tesseract {
  private readonly pageMode: number;

  private constructor(
    private readonly module: TesseractModule,
    private readonly api: TesseractApi,
  ) {
    this.pageMode = api.GetPageSegMode();
  }

  static async open(files: LanguageFiles): Promise<Tesseract> {
    const module = await loadCore(CORE, files);
    const api = new module.TessBaseAPI();
    if (api.Init(null, Object.keys(files).join('+'), LSTM_ENGINE) !== 0)
      throw new Error('Tesseract cannot use its language data');
    if (Object.keys(files).some((name) => VERTICAL_DATA.test(name))) api.SetPageSegMode(VERTICAL_BLOCK);
    return new Tesseract(module, api);
  }

  /**
   * Recognizes a picture, and straightens it.
   *
   * @param picture a PNM, PNG, JPEG, TIFF, WebP or GIF file
   * @returns null when the picture cannot be decoded
   */
  recognize(
    picture: Uint8Array,
    { orientation: stated, isEmbedded, quarters = 0 }: ReadOptions,
  ): ReadPage | null {
    const { api } = this;
    const orientation =
      quarters === 0 ? stated : (TURNS[(Math.max(0, TURNS.indexOf(stated)) + quarters) % 4] ?? stated);
    this.module.FS.writeFile(INPUT, picture);
    api.SetPageSegMode(isEmbedded ? SPARSE_TEXT : this.pageMode);
    if (api.SetImageFile(orientation, 0) !== 0) return null;
    api.FindLines();
    const gradient = api.GetGradient();
    const slope = Math.abs(gradient) >= MIN_SLOPE ? gradient : 0;
    if (slope !== 0) api.SetImageFile(orientation, slope);
    api.Recognize(null);
    const table = withTurn(api.GetTSVText(0), { quarters, slope });
    const confidence = api.MeanTextConf();
    api.Clear();
    return { table, confidence };
  }
}
