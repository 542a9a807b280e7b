/** Formulas as textbooks write them: each line as it is, and some with other names in place of `X` and `Y`. */
const LINES = String.raw`
E = mc^2
a^2 + b^2 = c^2
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
e^{i\pi} + 1 = 0
\lim_{x \to 0} \frac{\sin x}{x} = 1
\frac{d}{dx} \left( f(x) g(x) \right) = f'(x) g(x) + f(x) g'(x)
\int_a^b f(x)\,dx = F(b) - F(a)
\sum_{k=1}^{n} k = \frac{n(n+1)}{2}
\prod_{p\ \text{prime}} \frac{1}{1 - p^{-s}} = \zeta(s)
\nabla \cdot \mathbf{E} = \frac{\rho}{\varepsilon_0}
\nabla \times \mathbf{B} = \mu_0 \mathbf{J} + \mu_0 \varepsilon_0 \frac{\partial \mathbf{E}}{\partial t}
\operatorname{curl}(\mathbf{F}) = \nabla \times \mathbf{F}
\text{curl}(F) = 0 \iff F = \nabla\varphi
i\hbar \frac{\partial}{\partial t} \Psi = \hat{H} \Psi
\langle \psi | \hat{A} | \psi \rangle
\begin{pmatrix} a & b \\ c & d \end{pmatrix}
\begin{bmatrix}12\\45\\78\end{bmatrix}
\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix} = -2
\begin{cases} x & \text{if } x \ge 0 \\ -x & \text{if } x < 0 \end{cases}
\begin{aligned} 2x + y &= 5 \\ x - y &= 1 \end{aligned}
f: X \to Y; g: Y \to Z
f \colon A \to B,\quad a \mapsto f(a)
\{ x \in \mathbb{R} : x > 0 ; x \ne 1 \}
P(X; \theta) = \prod_i p(x_i; \theta)
\mathcal{N}(x; \mu, \sigma^2)
A_{\mu;\nu} = A_{\mu,\nu} - \Gamma^{\lambda}_{\mu\nu} A_\lambda
R_{1:n; 1:m}
D_{KL}(p \| q) = \sum_x p(x) \log \frac{p(x)}{q(x)}
AB \parallel CD
AB // CD
a // b = \lfloor a / b \rfloor
km/h
\ce{2H2 + O2 -> 2H2O}
\ce{H2SO4 <=> 2H+ + SO4^2-}
\ce{^{227}_{90}Th+}
\pu{123 kJ//mol}
\color{red}{x} + \color{blue}{y}
\textcolor{green}{\text{profit: revenue; cost: none}}
\textcolor{#ff0000}{a} + \textcolor[RGB]{0,128,255}{b}
\colorbox{yellow}{$x^2$}
\fcolorbox{red}{yellow}{important}
\definecolor{sea}{RGB}{0,105,148} \color{sea}{x}
\color{red!50} x
\cancel{x} + \bcancel{y} + \xcancel{z}
\cancelto{0}{x}
\enclose{circle}{x}
\enclose{circle}[mathcolor="red"]{\enclose{roundedbox}{x}}
\boxed{F = ma}
\underbrace{a + b + \dots + z}_{26\ \text{terms}}
\overbrace{1 + 2 + \cdots + n}^{n}
\stackrel{\text{def}}{=}
\overset{!}{=}
\xrightarrow[T]{n\ \text{times}}
\def\R{\mathbb{R}} f : \R \to \R
\newcommand{\norm}[1]{\lVert #1 \rVert} \norm{x} \le 1
\DeclareMathOperator{\argmax}{arg\,max} \argmax_x f(x)
\let\eps=\varepsilon \eps > 0
\tag{1} y = mx + b
\mathrm{d}U = T\,\mathrm{d}S - p\,\mathrm{d}V
PV = nRT
F = G \frac{m_1 m_2}{r^2}
\oint_{\partial S} \mathbf{E} \cdot d\boldsymbol{\ell} = -\frac{d}{dt} \iint_S \mathbf{B} \cdot d\mathbf{A}
\binom{n}{k} = \frac{n!}{k!(n-k)!}
P(A \mid B) = \frac{P(B \mid A) P(A)}{P(B)}
\mathbb{E}[X] = \int x f_X(x)\,dx
\operatorname{Var}(X) = \mathbb{E}[X^2] - (\mathbb{E}[X])^2
\Gamma(z) = \int_0^\infty t^{z-1} e^{-t}\,dt
\frac{\partial u}{\partial t} = \alpha \nabla^2 u
\ddot{x} + 2\zeta\omega_0 \dot{x} + \omega_0^2 x = 0
\det(A - \lambda I) = 0
A \cup (B \cap C) = (A \cup B) \cap (A \cup C)
\forall \varepsilon > 0\ \exists \delta > 0 : |x - a| < \delta \Rightarrow |f(x) - L| < \varepsilon
\neg (p \land q) \equiv \neg p \lor \neg q
T(n) = 2T(n/2) + O(n \log n)
\hat{\beta} = (X^\top X)^{-1} X^\top y
\sqrt[3]{x^3 + y^3}
\left\lfloor \frac{n}{2} \right\rfloor
\left. \frac{df}{dx} \right|_{x=0}
\pi \approx 3.14159\,26535\,89793
6.022\,140\,76 \times 10^{23}\ \mathrm{mol}^{-1}
c = 299\,792\,458\ \mathrm{m/s}
45^\circ = \frac{\pi}{4}
\text{speed} = \frac{\text{distance}}{\text{time}}
\mathop{\mathrm{src}}(e) \to \mathop{\mathrm{dst}}(e)
\begin{array}{c|c} n & n^2 \\ \hline 1 & 1 \\ 2 & 4 \end{array}
\begin{array}{l:l} a & b \end{array}
1{,}000{,}000
\phantom{x} \hphantom{y}
\mathbf{v} = v_x \hat{\imath} + v_y \hat{\jmath}
\Delta G^\circ = -RT \ln K
\mathrm{pH} = -\log_{10} [\mathrm{H^+}]
[\mathrm{Fe(CN)_6}]^{4-}
y = \begin{cases} 0 &: x < 0 \\ 1 &: x \ge 0 \end{cases}
\sin^2\theta + \cos^2\theta = 1
a \equiv b \pmod{n}
\gcd(a, b) \cdot \operatorname{lcm}(a, b) = |ab|
\widehat{ABC} = 90^\circ
\overline{z} = a - bi
\Pr\left[ X \ge a \right] \le \frac{\mathbb{E}[X]}{a}
\ell(\theta; x) = \log L(\theta; x)
`;
const NAMED = String.raw`
\frac{\partial X}{\partial Y}
\int X\,dY
\sum_{i} X_i Y_i
\vec{X} \times \vec{Y}
\left( \frac{X}{Y} \right)^{2}
\lim_{X \to \infty} \frac{1}{X} = Y
\mathbf{X}^{-1} \mathbf{Y}
\begin{pmatrix} X & 0 \\ 0 & Y \end{pmatrix}
X_{i;j} = Y_{j;i}
\textcolor{red}{X} = \textcolor{blue}{Y}
\sqrt{X^2 + Y^2}
X \colon Y \to \mathbb{R}
\max\{X, Y\} : X \ne Y
\text{if } X > 0 \text{ then } Y = 1; \text{ else } Y = 0
\frac{d^2X}{dY^2} = -kX
\langle X, Y \rangle / \lVert X \rVert
\exp(-X / Y)
\underset{X}{\arg\min}\ f(X; Y)
\cancel{X} \cdot \frac{Y}{\cancel{X}}
X \mapsto \int_0^X e^{-Y t}\,dt
`;
const NAMES = [
  'u',
  'v',
  'x',
  'y',
  'z',
  '\\alpha',
  '\\beta',
  '\\theta',
  '\\lambda',
  '\\mu',
  '\\sigma',
  '\\omega',
  'T',
  'p',
  'q',
  '\\phi',
  '\\psi',
  'R',
  'V',
  '\\rho',
  '\\kappa',
];

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

export const FORMULAS: readonly string[] = [
  ...linesOf(LINES),
  ...linesOf(NAMED).flatMap((formula) =>
    NAMES.map((name, index) =>
      formula
        .replace(/(?<![A-Za-z\\])X(?![A-Za-z])/g, name)
        .replace(/(?<![A-Za-z\\])Y(?![A-Za-z])/g, NAMES[(index + 7) % NAMES.length] ?? 't'),
    ),
  ),
];
