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
  readonly best_result: { readonly script_id: number };
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
  SetRectangle(left: number, top: number, width: number, height: number): void;
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
/** Percentage points by which a turned page is read with more confidence. */
const MIN_GAIN = 15;
/** Of the sample by which orientations are compared, as a share of the side of the page. */
const SAMPLE_SIDE = 0.5;
const WORD_LEVEL = 5;
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
  recognize(picture: Uint8Array, { orientation, isEmbedded }: ReadOptions): ReadPage | null {
    this.module.FS.writeFile(INPUT, picture);
    this.api.SetPageSegMode(isEmbedded ? SPARSE_TEXT : this.pageMode);
    return this.read(orientation, 0);
  }

  /** Recognizes a picture that may be turned by a quarter or a half. @param first the result of {@link recognize} */
  recognizeTurned(picture: Uint8Array, orientation: number, first: ReadPage): ReadPage {
    this.module.FS.writeFile(INPUT, picture);
    const start = Math.max(0, TURNS.indexOf(orientation));
    const turns = [...TURNS.slice(start), ...TURNS.slice(0, start)];
    const quarters = this.uprightQuarters(first.table, turns);
    return quarters === 0 ? first : (this.read(turns[quarters] ?? orientation, quarters) ?? first);
  }

  /** @param quarters clockwise turns that the orientation adds to that of the file */
  private read(orientation: number, quarters: number): ReadPage | null {
    const { api } = this;
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

  /**
   * @param turns in steps of 90 degrees; the first is that of the table
   * @returns the index of the turn with which a sample of the picture is read with the most confidence
   */
  private uprightQuarters(table: string, turns: readonly number[]): number {
    const { size, sample } = sampleOf(table);
    const confidences = turns.map((turn, quarters) => {
      const [width, height] = quarters % 2 === 0 ? size : [size[1], size[0]];
      const { left, top, across, down } = turned(sample, quarters);
      this.api.SetImageFile(turn, 0);
      this.api.SetRectangle(
        Math.round(left * width),
        Math.round(top * height),
        Math.round(across * width),
        Math.round(down * height),
      );
      this.api.Recognize(null);
      return this.api.MeanTextConf();
    });
    const best = Math.max(...confidences);
    return best < (confidences[0] ?? 0) + MIN_GAIN ? 0 : confidences.indexOf(best);
  }
}

/** A rectangle in shares of the sides of a picture. */
interface Sample {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
}

/** A quarter of the page around the middle of its words. */
function sampleOf(table: string): { size: [width: number, height: number]; sample: Sample } {
  const rows = table.split('\n').map((row) => row.split('\t').map(Number));
  const [, , , , , , , , width = 1, height = 1] = rows[0] ?? [];
  const words = rows.filter(([level]) => level === WORD_LEVEL);
  const middle = (position: number, extent: number, side: number): number => {
    const centers = words.map((word) => ((word[position] ?? 0) + (word[extent] ?? 0) / 2) / side);
    const center = centers.sort((one, other) => one - other)[Math.trunc(centers.length / 2)] ?? 0.5;
    return Math.min(1 - SAMPLE_SIDE, Math.max(0, center - SAMPLE_SIDE / 2));
  };
  const [left, top] = [middle(6, 8, width), middle(7, 9, height)];
  return { size: [width, height], sample: { left, top, across: SAMPLE_SIDE, down: SAMPLE_SIDE } };
}

/** The place of a sample after quarter turns of the picture, clockwise. */
function turned(sample: Sample, quarters: number): Sample {
  if (quarters === 0) return sample;
  const { left, top, across, down } = turned(sample, quarters - 1);
  return { left: 1 - top - down, top: left, across: down, down: across };
}
