import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { withTurn } from '../pdf/picture-turn.js';
import { gunzip } from 'node:zlib';

/** The used part of `tesseract.js-core`, Tesseract compiled to WebAssembly. */
interface TesseractModule {
  readonly FS: { writeFile(path: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
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
const INPUT = '/input';
/** Finds as much text as possible, without a layout. */
const SPARSE_TEXT = 11;

/** EXIF's values for a picture turned by 0, 90, 180 and 270 degrees clockwise. */
const TURNS: readonly number[] = [1, 6, 3, 8];
/** Percent. Upright pages have about 90, turned ones 30 to 45. */
const UPRIGHT_CONFIDENCE = 60;
/** Percentage points by which a turned page is read with more confidence. */
const MIN_GAIN = 15;
/** Of the sample by which orientations are compared, as a share of the side of the page. */
const SAMPLE_SIDE = 0.5;
const WORD_LEVEL = 5;
/** In radians: 0.3 degrees. */
const MIN_SLOPE = 0.005;

let opened: { readonly languages: string; readonly engine: Promise<Tesseract> } | undefined;

/** The engine for these languages. One is kept in memory. */
export function openTesseract(files: LanguageFiles): Promise<Tesseract> {
  const languages = Object.keys(files).join('+');
  if (opened?.languages !== languages) opened = { languages, engine: Tesseract.open(files) };
  return opened.engine;
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
    const load = require(`${CORE}.js`) as (options: object) => Promise<TesseractModule>;
    const module = await load({
      wasmBinary: await readFile(require.resolve(`${CORE}.wasm`)),
      TesseractProgress: () => undefined,
      print: () => undefined,
      printErr: () => undefined,
    });
    for (const [name, path] of Object.entries(files))
      module.FS.writeFile(`${name}.traineddata`, await promisify(gunzip)(await readFile(path)));
    const api = new module.TessBaseAPI();
    if (api.Init(null, Object.keys(files).join('+'), LSTM_ENGINE) !== 0)
      throw new Error('Tesseract cannot use its language data');
    return new Tesseract(module, api);
  }

  /**
   * Recognizes a picture. Turns it upright and straightens it.
   *
   * @param picture a PNM, PNG, JPEG, TIFF, WebP or GIF file
   * @param options.orientation as in EXIF: how to turn the picture before it is read
   * @param options.isEmbedded whether the picture is part of a document: it is not turned, and its text can be anywhere, as
   * in diagrams and photos
   * @returns Tesseract's tab-separated values; the text of the first row is how the picture was turned, see
   * `readTurn`. Null when the picture cannot be decoded
   */
  recognize(picture: Uint8Array, { orientation = 1, isEmbedded = false } = {}): string | null {
    this.module.FS.writeFile(INPUT, picture);
    this.api.SetPageSegMode(isEmbedded ? SPARSE_TEXT : this.pageMode);
    const start = Math.max(0, TURNS.indexOf(orientation));
    const turns = [...TURNS.slice(start), ...TURNS.slice(0, start)];
    const first = this.read(orientation, 0);
    if (first === null || isEmbedded || first.confidence >= UPRIGHT_CONFIDENCE) return first?.table ?? null;
    const quarters = this.uprightQuarters(first.table, turns);
    const turned = quarters === 0 ? null : this.read(turns[quarters] ?? orientation, quarters);
    return turned?.table ?? first.table;
  }

  /** @param quarters clockwise turns that the orientation adds to that of the file */
  private read(
    orientation: number,
    quarters: number,
  ): { readonly table: string; readonly confidence: number } | null {
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
