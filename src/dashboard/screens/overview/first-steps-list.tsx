import { Icon } from "../../components/icon.tsx";
import { Progress } from "../../components/progress.tsx";
import type { FirstStep } from "./first-steps.ts";

/** Checklist of the first steps. Completed steps are checked, and the next open one is highlighted. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section class="report-card first-steps" aria-label="Get started">
      <div class="report-head">
        <h2 class="report-title">Get started</h2>
        <span class="small muted numeric">
          {done} of {steps.length} done
        </span>
      </div>
      <Progress label="Get started" done={done} total={steps.length} />
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            <a class={step === next ? "step next" : "step"} href={step.href}>
              <span class={step.isDone ? "step-sign done" : "step-sign"}>
                {step.isDone && <Icon name="check" size={14} />}
              </span>
              <span>
                <b>{step.name}</b>
                {step.isDone && <span class="visually-hidden">(done)</span>}
                <span class="small muted step-text">{step.text}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
