import { ICON_NAMES, Icon } from "../../components/icon.tsx";
import screenCss from "../../components/screen.module.css";
import { ChartSamples } from "./chart-samples.tsx";
import { ChoiceSamples } from "./choice-samples.tsx";
import { ControlSamples } from "./control-samples.tsx";
import { FileSamples } from "./file-samples.tsx";
import galleryCss from "./gallery.module.css";
import { OverlaySamples } from "./overlay-samples.tsx";
import { Sample } from "./sample.tsx";
import { StateSamples } from "./state-samples.tsx";
import { TableSamples } from "./table-samples.tsx";

const COLOURS = [
  ...["ground", "surface", "sunken", "raised", "text", "muted", "line", "edge", "accent", "accent-soft"],
  ...["good", "good-soft", "warn", "warn-soft", "danger", "danger-soft"],
];

/** Screen that shows all components in all states. It only exists in local development. */
export default function GalleryScreen() {
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <div>
          <h1>Components</h1>
          <p>All components in every state. Only available when running locally.</p>
        </div>
      </div>
      <div class={galleryCss.gallery} data-ui="gallery">
        <Sample title="Colours">
          <div class={galleryCss.swatches}>
            {COLOURS.map((name) => (
              <div
                key={name}
                class={galleryCss.swatch}
                ref={(element) => element?.style.setProperty("--swatch", `var(--${name})`)}
              >
                {name}
              </div>
            ))}
          </div>
        </Sample>
        <Sample title="Type">
          <h2>A road with two boards. Heading 2</h2>
          <h3>Left to the sea. Heading 3</h3>
          <p>
            Text of paragraphs, with a <a href="/components">link to this screen</a> and <code>code</code>.
          </p>
          <p class="small muted">Small and muted, for secondary text.</p>
        </Sample>
        <Sample title="Icons">
          <div class={galleryCss.icons}>
            {ICON_NAMES.map((name) => (
              <span key={name} class="row">
                <Icon name={name} />
                {name}
              </span>
            ))}
          </div>
        </Sample>
        <ControlSamples />
        <ChoiceSamples />
        <OverlaySamples />
        <TableSamples />
        <FileSamples />
        <ChartSamples />
        <StateSamples />
      </div>
    </div>
  );
}
